import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { withDefault } from '../../kernel/optional.ts';
import { cleanText, Id } from '../../kernel/text.ts';
import { Timestamp } from '../../kernel/timestamp.ts';
import { termsIn } from './text-terms.ts';

/** Log streams that one request looks through. */
export const MAX_STREAMS = 100;
const MAX_HITS = 100;
const MAX_TEXT = 1000;
const MAX_TERMS = 20;
const CURSOR_LENGTH = 200;

/** Request for a text in log streams: in those of all projects that the caller may read, of one project, or in those that are named. */
export const StreamSearch = z
  .object({
    text: cleanText(2, MAX_TEXT)
      .refine((text) => text.trim().length >= 2, { message: 'has fewer than 2 characters' })
      .refine((text) => termsIn(text).length <= MAX_TERMS, { message: `has more than ${MAX_TERMS} terms` })
      .describe('Words; phrases in double quotes; in scripts without spaces any part of a text, of two characters or more.'),
    match: withDefault(z.enum(['words', 'part']), 'words').describe('Whole words by their index, or parts of words too.'),
    record_type: withDefault(z.enum(['trace', 'span']), 'trace').describe('Traces are found by what their spans say, too.'),
    project_id: Id.nullish(),
    log_stream_ids: z.array(Id).min(1).max(MAX_STREAMS).nullish().describe('Of the project that is named with them.'),
    created_from: Timestamp.nullish(),
    created_until: Timestamp.nullish(),
    limit: withDefault(z.int().min(1).max(MAX_HITS), 20),
    cursor: z.string().max(CURSOR_LENGTH).nullish().describe('`next_cursor` of the page before.'),
  })
  .meta({ id: 'StreamSearch' });
export type StreamSearch = z.output<typeof StreamSearch>;

const stream = {
  project_id: z.string(),
  project_name: z.string(),
  log_stream_id: z.string(),
  log_stream_name: z.string(),
};

const StreamHit = z
  .object({
    ...stream,
    record_id: z.string(),
    record_type: z.enum(['trace', 'span']),
    trace_id: z.string(),
    name: z.string(),
    created_at: z.string(),
    snippet: z
      .object({ field: z.enum(['name', 'input', 'output']), text: z.string() })
      .nullable()
      .describe('What stands around the text; null where a span of the trace says it, or the record is very large.'),
  })
  .meta({ id: 'StreamHit' });
export type StreamHit = z.output<typeof StreamHit>;

const SearchedStream = z
  .object({
    ...stream,
    state: z
      .enum(['searched', 'out_of_time', 'too_many_records'])
      .describe('`too_many_records`: more would have to be looked at than one request may; a time range narrows that.'),
    num_hits: z.int().describe('Hits that are not on pages before; at most 100 are counted.'),
    has_more_hits: z.boolean().describe('Whether there are more than were counted.'),
  })
  .meta({ id: 'SearchedStream' });
export type SearchedStream = z.output<typeof SearchedStream>;

export const StreamSearchPage = z
  .object({
    hits: z.array(StreamHit).describe('The newest first, over all log streams that were searched.'),
    next_cursor: z.string().nullable(),
    log_streams: z.array(SearchedStream).describe('Log streams with hits, and those that were not searched and why.'),
    num_searched: z.int(),
    is_complete: z
      .boolean()
      .describe(
        'Whether all log streams that were asked for have been searched; more than 100 are not, the oldest are left out.',
      ),
  })
  .meta({ id: 'StreamSearchPage' });
export type StreamSearchPage = z.output<typeof StreamSearchPage>;

/** The last record of a page: the next one begins behind it. */
export interface PageEnd {
  readonly created_at: string;
  readonly id: string;
}

export const toCursor = ({ created_at, id }: PageEnd): string => `${created_at} ${id}`;

/** Throws AppError `cursor_invalid`. */
export function parseCursor(cursor: string): PageEnd {
  const [created_at = '', id = '', ...rest] = cursor.split(' ');
  if (rest.length === 0 && Timestamp.safeParse(created_at).success && Id.safeParse(id).success) return { created_at, id };
  const msg = 'cursor is none of a page before';
  const issues = [{ loc: ['body', 'cursor'], msg, type: 'cursor_invalid', input: cursor }];
  throw new AppError('invalid', 'cursor_invalid', msg, { issues });
}
