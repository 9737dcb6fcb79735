import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { withDefault } from '../kernel/optional.ts';
import { dateFilter, filterList, idFilter, stringFilter } from '../kernel/query/filter.ts';
import { PageBody } from '../kernel/query/page.ts';
import { sortBy } from '../kernel/query/sort.ts';
import { Name } from '../kernel/text.ts';
import { NEWEST_RUNS_FIRST } from './run.ts';

export const LogStream = z
  .object({
    id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    name: z.string(),
    project_id: z.string(),
    created_by: z.string().nullable(),
    created_by_user: UserSummary.nullable(),
    /** Null unless counts were asked for. */
    num_spans: z.int().nullable(),
    num_traces: z.int().nullable(),
    has_user_created_sessions: z.boolean(),
  })
  .meta({ id: 'LogStream' });
export type LogStream = z.output<typeof LogStream>;

export const NewLogStream = z.object({ name: Name }).meta({ id: 'NewLogStream' });
export type NewLogStream = z.output<typeof NewLogStream>;

export const LogStreamUpdate = z.object({ name: Name }).meta({ id: 'LogStreamUpdate' });
export type LogStreamUpdate = z.output<typeof LogStreamUpdate>;

const LogStreamFilter = z.discriminatedUnion('name', [
  idFilter('id'),
  stringFilter('name'),
  idFilter('created_by'),
  dateFilter('created_at'),
  dateFilter('updated_at'),
]);

export const LogStreamSearch = PageBody.extend({
  filters: filterList(LogStreamFilter),
  sort: sortBy({ name: 'column', created_at: 'column', updated_at: 'column' }, NEWEST_RUNS_FIRST),
  include_counts: withDefault(z.boolean(), false),
}).meta({ id: 'LogStreamSearch' });
export type LogStreamSearch = z.output<typeof LogStreamSearch>;
