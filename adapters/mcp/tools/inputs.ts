import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';

const MAX_OF_PAGE = 50;

/** Paging of tools: pages are small, since models read them. */
export const page = {
  limit: z.int().min(1).max(MAX_OF_PAGE).default(20).describe('Entries of this page.'),
  starting_token: z
    .int()
    .min(0)
    .max(2_147_483_647)
    .default(0)
    .describe('Where the page begins: next_starting_token of the page before.'),
};

export const project_id = Id.describe('From list_projects.');

/** How a tool names a run: one of the two. */
export const run = {
  log_stream_id: Id.optional().describe('From list_log_streams; either this or experiment_id.'),
  experiment_id: Id.optional().describe('From list_experiments; either this or log_stream_id.'),
};
