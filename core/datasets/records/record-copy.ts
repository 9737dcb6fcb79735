import { z } from 'zod';
import { Job } from '../../jobs/job.ts';
import { withDefault } from '../../kernel/optional.ts';
import { Id } from '../../kernel/text.ts';
import { runIdFields } from '../../projects/run-ids.ts';
import { FilterTree, RecordFilter } from '../../traces/record-query.ts';
import { RecordColumns } from '../edit.ts';

const RecordType = z.enum(['trace', 'span', 'session']);

/** Rows that one copy adds, at most. */
export const MAX_COPIED = 10_000;
/** Of sessions fewer: each of them is read with its traces. */
const MAX_SESSIONS = 1_000;

/** Which records of a run are meant, and what rows are made of them. */
export const matchingRecords = {
  record_type: withDefault(RecordType, 'trace').describe(
    'The row of a session also has what was said in it, as the column `conversation`.',
  ),
  filters: withDefault(z.array(RecordFilter).max(1000), []),
  filter_tree: FilterTree.nullish(),
  columns: RecordColumns.nullish().describe('By default `input`, `output` and `metadata`.'),
};

export const RecordCopy = z
  .object({
    project_id: Id,
    ...runIdFields,
    ...matchingRecords,
    max_records: withDefault(z.int().min(1).max(MAX_COPIED), 1_000),
    once_per_record: withDefault(z.boolean(), true).describe(
      'Leaves out records that were added so before, also those whose rows were taken out of the dataset since.',
    ),
  })
  .refine(({ record_type, max_records }) => record_type !== 'session' || max_records <= MAX_SESSIONS, {
    path: ['max_records'],
    message: `is at most ${MAX_SESSIONS} for sessions`,
  })
  .meta({ id: 'RecordCopy', description: 'The newest records of a run that pass all filters, as rows of a dataset.' });
export type RecordCopy = z.output<typeof RecordCopy>;

export const RecordCopyStarted = z.object({ job: Job }).meta({ id: 'RecordCopyStarted' });

/** A copy as its job needs to know it. */
export const CopyPlan = z.object({
  dataset_id: z.string(),
  run_id: z.string(),
  record_type: RecordType,
  where: FilterTree,
  columns: RecordColumns.nullable(),
  max_records: z.int(),
  once_per_record: z.boolean(),
});
export type CopyPlan = z.output<typeof CopyPlan>;
