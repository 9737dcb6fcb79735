import { type AliasedRawBuilder, sql } from 'kysely';
import { COMMON_FIELD_NAMES, commonField } from '../../../core/traces/catalogue/record-fields.ts';
import type { RecordRow } from './record-row.ts';
import { type ColumnName, RECORD_COLUMNS } from './stored-columns.ts';

const columns = Object.keys(RECORD_COLUMNS) as ColumnName[];
const typed = Object.entries(RECORD_COLUMNS).map(([name, { type }]) => `${name} ${type}`);
const fieldsThat = (when_sent_again: 'stays' | 'is_raised'): readonly string[] =>
  COMMON_FIELD_NAMES.filter((name) => commonField(name).when_sent_again === when_sent_again);
/** Flags that are only ever raised. */
const raised = fieldsThat('is_raised');
const FIXED = new Set([...fieldsThat('stays'), 'position', ...raised]);
/** Columns that a record sent again may change: not its place. */
const changeable = columns.filter((name) => !FIXED.has(name));
const raise = raised.map((name) => `records.${name} or excluded.${name}`);

/** A composite type of the columns that come from a record, made with the table. */
export const INCOMING_TYPE = 'incoming_record';

const NEW_TRACES = `, null::uuid as project_id, null::uuid as run_id, null::uuid as new_trace_id from problems
union all
select null, null, project_id, run_id, id from written where is_trace and is_new`;

/**
 * Writes a group of requests in one statement, or nothing at all.
 *
 * `$1`: the records as an array of `INCOMING_TYPE`. `$2`: the runs they were planned against, one entry per request:
 * {request, project_id, run_id, settings_revision}.
 *
 * What was written is put on the list of the record index. The runs are locked against a change of their settings until the group is committed. Answers one row per problem,
 * `{request, problem}`; with any problem nothing is written, and the requests have to be tried one by one.
 *
 * A record that is stored under another trace loses its trace in `set`, which the NOT NULL of that column refuses, and
 * with it the whole statement. No join with `records` looks for such records: a plan for it that was made while the
 * table was empty may use an index that serves only then, and PostgreSQL keeps plans.
 */
const writeGroup = (more: string, tellsNew: boolean): string => `
with planned as materialized (
  select * from jsonb_to_recordset($2::jsonb) as row(request integer, project_id uuid, run_id uuid, settings_revision integer)
), held as materialized (
  select project_id, id, settings_revision from runs
  where (project_id, id) in (select project_id, run_id from planned)
  for share
), problems as materialized (
  select planned.request, case when held.id is null then 'run_not_found' else 'run_changed' end as problem
  from planned left join held on held.project_id = planned.project_id and held.id = planned.run_id
  where held.settings_revision is distinct from planned.settings_revision
), written as (
  insert into records (${columns.join(', ')}, updated_at)
  select ${columns.join(', ')}, now() from unnest($1::${INCOMING_TYPE}[]) as row
  where not exists (select from problems)
  order by project_id, id, run_id
  on conflict (project_id, id, run_id) do update set
    trace_id = case when records.trace_id = excluded.trace_id then records.trace_id end,
    ${changeable.map((name) => `${name} = excluded.${name}`).join(',\n    ')},
    ${raised.map((name, at) => `${name} = ${raise[at]}`).join(',\n    ')},
    updated_at = excluded.updated_at
  where records.trace_id <> excluded.trace_id
    or not (records.is_trace and records.is_complete and not excluded.is_complete)
    and (${changeable.map((name) => `records.${name}`).join(', ')}, ${raise.join(', ')})
      is distinct from (${changeable.map((name) => `excluded.${name}`).join(', ')}, ${raised.map((name) => `records.${name}`).join(', ')})
  returning project_id, run_id, id, is_trace, xmax = 0 as is_new
), noted as (
  insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
  select project_id, run_id, array_agg(id), count(*) filter (where is_new and is_trace), count(*) filter (where is_new and not is_trace)
  from written group by project_id, run_id
)${more}
select request, problem${tellsNew ? NEW_TRACES : ' from problems'}`;

export const WRITE_GROUP = writeGroup('', false);
/** Also returns the traces that were not there before: `{project_id, run_id, new_trace_id}`. */
export const WRITE_GROUP_OF_NEW = writeGroup('', true);

/** With `$3`, the sessions that traces of the group name: {project_id, run_id, id, created_at}. Those that are there stay as they are. */
const sessions = `, named as (
  insert into sessions (project_id, id, run_id, is_derived, created_at, updated_at)
  select project_id, id, run_id, true, created_at, now()
  from jsonb_to_recordset($3::jsonb) as row(project_id uuid, id uuid, run_id uuid, created_at timestamptz)
  where not exists (select from problems)
  order by project_id, id, run_id, created_at
  on conflict (project_id, id, run_id) do nothing
)`;
export const WRITE_GROUP_WITH_SESSIONS = writeGroup(sessions, false);
export const WRITE_GROUP_OF_NEW_WITH_SESSIONS = writeGroup(sessions, true);

/** `$1` project, `$2` run, `$3` ids of records that were changed, `$4` and `$5` how many traces and spans came (or went, below zero). */
export const NOTE_CHANGE = `
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans) values ($1, $2, $3::uuid[], $4, $5)`;

/** `$1` project, `$2` run, `$3` ids, `$4` the trace of each: answers those that are stored under another trace. */
export const FIND_IN_OTHER_TRACES = `
select records.id from unnest($3::uuid[], $4::uuid[]) as sent(id, trace_id)
join records on records.project_id = $1 and records.id = sent.id and records.run_id = $2
where records.trace_id <> sent.trace_id`;

/** `$1` project, `$2` run, `$3` ids. */
export const MARK_PARENTS = `
with marked as (
  update records set has_children = true
  where project_id = $1 and run_id = $2 and id = any($3::uuid[]) and not has_children returning id
)
insert into record_changes (project_id, run_id, record_ids, num_traces, num_spans)
select $1::uuid, $2::uuid, array_agg(id), 0, 0 from marked having count(*) > 0`;

/**
 * A span is as complete as its trace. The comparison of `run_id` is put so that no index but the primary key serves: on
 * a table without statistics another one looks as good to the planner, and every span would read the whole run.
 */
export const IS_COMPLETE = `case when r.is_trace then r.is_complete else coalesce((
  select t.is_complete from records t
  where t.project_id = r.project_id and t.id = r.trace_id and (t.run_id = r.run_id) is true
), r.is_complete) end`;

/** One column of a record, from `records r`, as `toRecord` takes it. */
function selectColumn(name: keyof RecordRow): string {
  if (name === 'updated_at') return 'r.updated_at';
  if (name === 'is_complete') return IS_COMPLETE;
  return RECORD_COLUMNS[name].type === 'jsonb' ? `r.${name}::text` : `r.${name}`;
}

const readable = [...columns, 'updated_at'] as const;
/** Every column of a record, from `records r`. */
export const SELECT_RECORD = readable.map((name) => `${selectColumn(name)} as ${name}`).join(', ');

const SELECTED = readable.map((name) => ({
  name,
  read: sql.raw(selectColumn(name)).as(name),
  unread: sql.raw('null').as(name),
}));

/** The same for the query builder; null in place of the given ones. */
export const selectRecord = (unread?: ReadonlySet<string>): AliasedRawBuilder<unknown, keyof RecordRow>[] =>
  SELECTED.map(({ name, ...column }) => (unread?.has(name) ? column.unread : column.read));

const replace = (from: 'jsonb_to_record' | 'jsonb_to_recordset'): string => `
update records set ${[...changeable, ...raised].map((name) => `${name} = changed.${name}`).join(', ')},
  updated_at = clock_timestamp()
from ${from}($1::jsonb) as changed(${typed.join(', ')})
where records.project_id = changed.project_id and records.id = changed.id and (records.run_id = changed.run_id) is true
returning records.updated_at`;

/** `$1` the changed record as a JSON object. */
export const REPLACE_RECORD = replace('jsonb_to_record');

/** `$1` changed records as a JSON array. */
export const REPLACE_RECORDS = replace('jsonb_to_recordset');
