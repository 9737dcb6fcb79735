import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { withDefault } from '../kernel/optional.ts';
import { PageFields } from '../kernel/query/page.ts';
import { runIdFields } from '../projects/run-ids.ts';

/** Of one person in one project. */
export const MAX_BOOKMARKS = 1000;

export const NewBookmark = z
  .object({
    ...runIdFields,
    is_shared: withDefault(z.boolean(), false).describe(
      'Whether all who may read the project see it; else its owner alone does.',
    ),
  })
  .meta({ id: 'NewBookmark' });
export type NewBookmark = z.output<typeof NewBookmark>;

/** A mark that one person put on a trace, a span or a session, to find it again. */
export interface Bookmark {
  readonly project_id: string;
  readonly run_id: string;
  readonly record_id: string;
  readonly user_id: string;
  readonly is_shared: boolean;
  readonly created_at: string;
}

/** A bookmark with what is read of its record: its kind and its name as it is now, and the trace that a span belongs to. */
export interface FoundBookmark extends Bookmark {
  readonly record_type: 'trace' | 'span' | 'session';
  /** Null of a session. */
  readonly trace_id: string | null;
  readonly name: string;
}

/** A bookmark as the API shows it. */
export const BookmarkView = z
  .object({
    project_id: z.string(),
    run_id: z.string().describe('The log stream, experiment or metrics testing of the record.'),
    record_id: z.string(),
    record_type: z.enum(['trace', 'span', 'session']),
    trace_id: z.string().nullable().describe('The trace of a trace or a span; null of a session.'),
    name: z.string().describe('Name of the record; empty where it has none.'),
    is_shared: z.boolean(),
    is_mine: z.boolean().describe('Whether the caller put it there.'),
    user: UserSummary.nullable().describe('Who put it there; null where they are no user any more.'),
    created_at: z.string(),
  })
  .meta({ id: 'Bookmark' });
export type BookmarkView = z.output<typeof BookmarkView>;

export const BookmarkPage = z.object({ ...PageFields, bookmarks: z.array(BookmarkView) }).meta({ id: 'BookmarkPage' });
export type BookmarkPage = z.output<typeof BookmarkPage>;
