import { sql } from 'kysely';
import { NUM_COMMENTS } from '../../../core/comments/comment-column.ts';
import { parseRatingColumn } from '../../../core/ratings/rating-column.ts';
import { parseOwnName } from '../../../core/traces/columns/column.ts';
import type { FilterTree } from '../../../core/traces/record-query.ts';
import { IS_IMPLICIT, NUM_TRACES } from '../../../core/traces/sessions/session-column.ts';
import { SUMMED } from '../../../core/traces/sessions/session-metrics.ts';
import type { SessionListing, SessionSelection } from '../../../core/traces/sessions/session-store.ts';
import { behindIn, type Condition, type Fragment, NOTHING, TRUE } from '../database/sql.ts';
import type { RunKey } from '../record-index/record-index-rows.ts';
import { ratedNumberSql, sortKeysSql } from './record-columns.ts';
import { conditionSql } from './record-conditions.ts';

/**
 * Where the traces `m` of the session `s` are, which has `project_id`, `run_id` and `id`: two indexes hold them. Some
 * comparisons of `run_id` are put so that no index but the primary key serves: on a table without statistics another one
 * looks as good to the planner, and would be read for the whole run.
 */
const TRACE_PLACES = [
  sql`m.project_id = s.project_id and m.run_id = s.run_id and m.session_id = s.id and m.is_trace and m.session_id <> m.id`,
  sql`m.project_id = s.project_id and m.id = s.id and (m.run_id = s.run_id) is true and m.is_trace and m.session_id = m.id`,
];

/** Columns of all traces of the session `s`. */
export const tracesSql = (columns: Fragment): Fragment =>
  sql`(${sql.join(
    TRACE_PLACES.map((place) => sql`select ${columns} from records m where ${place}`),
    UNION,
  )})`;
const UNION = sql` union all `;

/** Columns of the first traces of the session `s`, or of the last, which each of the places is asked for by itself. */
export function someTracesSql(columns: Fragment, direction: 'asc' | 'desc', limit: Fragment, offset: Fragment = ZERO): Fragment {
  const order = direction === 'asc' ? sql`order by created_at asc, id asc` : sql`order by created_at desc, id desc`;
  const parts = TRACE_PLACES.map(
    (place) => sql`(select m.created_at, m.id, ${columns} from records m where ${place} ${order} limit ${limit} + ${offset})`,
  );
  return sql`(select * from (${sql.join(parts, UNION)}) t ${order} limit ${limit} offset ${offset})`;
}
const [ZERO, ONE] = [sql.lit(0), sql.lit(1)];
const SESSIONS = { level: 'session' } as const;

/** Joins with the first trace of the session `s`, as `head`, and with the last one, as `tail`. */
const HEAD = sql`left join lateral ${someTracesSql(sql`m.input, m.payload_kinds, m.content_blocks`, 'asc', ONE)} head on true`;
const TAIL = sql`left join lateral ${someTracesSql(sql`m.output, m.payload_kinds, m.content_blocks`, 'desc', ONE)} tail on true`;
export const HEAD_AND_TAIL = sql`${HEAD} ${TAIL}`;

const numberSql = (record: string, name: string): string =>
  `case when jsonb_typeof(${record}.metrics -> '${name}') = 'number' then (${record}.metrics ->> '${name}')::double precision end`;
const ADDED = {
  ofTraces: sql.raw(SUMMED.map((name) => `sum(coalesce(${numberSql('t', name)}, calls.${name})) as ${name}`).join(', ')),
  ofCalls: sql.raw(SUMMED.map((name) => `sum(${numberSql('c', name)}) as ${name}`).join(', ')),
};

/** Everything that is counted and added up over the traces of the session `s`: one row. */
export const TOTALS = sql`(
  select count(*)::int as num_traces, coalesce(bool_and(t.is_complete), true) as is_complete,
    sum(t.duration_ns)::double precision as duration_ns, ${ADDED.ofTraces}
  from ${tracesSql(sql`m.id, m.is_complete, m.duration_ns, m.metrics`)} t
  cross join lateral (
    select ${ADDED.ofCalls} from records c
    where c.project_id = s.project_id and c.trace_id = t.id and (c.run_id = s.run_id) is true and c.type = 'llm'
  ) calls
)`;

/** The part of it that calls of models are not read for. */
const COUNTS = sql`(
  select count(*)::int as num_traces, sum(t.duration_ns)::double precision as duration_ns
  from ${tracesSql(sql`m.duration_ns`)} t
)`;

/** Whether no kept session has the id of the trace `m`: then the trace is one by itself. */
const IS_ALONE = sql`m.is_trace and m.session_id = m.id
  and not exists (select from sessions k where k.project_id = m.project_id and k.id = m.id and (k.run_id = m.run_id) is true)`;

const KEPT = sql`s.project_id, s.run_id, s.id, coalesce(s.name, '') as name, s.external_id, s.user_metadata, s.created_at, false as is_implicit`;
const ALONE = sql`m.project_id, m.run_id, m.id, m.name, null::text as external_id, m.user_metadata, m.created_at, true as is_implicit`;

/** Something to look up among the traces of each session: a payload of the first or last one, their number and durations, or all sums. */
type Lookup = 'input' | 'output' | 'counts' | 'sums';
type Lookups = ReadonlySet<Lookup>;

/**
 * The sessions of a run as two tables of the same columns, which are those that conditions know of `records r`: sessions
 * that are kept, and traces that are one by themselves. What traces say is looked up only where it is asked for.
 */
function placesSql({ project_id, run_id }: RunKey, lookups: Lookups): Fragment[] {
  const head = lookups.has('input')
    ? { join: HEAD, input: sql`coalesce(head.input, '')`, kinds: sql`coalesce(head.payload_kinds, 0) & 1` }
    : { join: NOTHING, input: NO_TEXT, kinds: ZERO };
  const tail = lookups.has('output')
    ? { join: TAIL, output: sql`tail.output`, kinds: sql`coalesce(tail.payload_kinds, 0) & 2` }
    : { join: NOTHING, output: NO_TEXT, kinds: ZERO };
  const { ofKept, ofAlone } = numbersSql(lookups);
  return [
    sql`select ${KEPT}, ${head.input} as input, ${tail.output} as output, ${head.kinds} | ${tail.kinds} as payload_kinds,
       ${ofKept.duration_ns} as duration_ns, ${ofKept.metrics} as metrics
     from sessions s ${head.join} ${tail.join} ${ofKept.join} where s.project_id = ${project_id} and s.run_id = ${run_id}`,
    sql`select ${ALONE}, m.input, m.output, m.payload_kinds, m.duration_ns, ${ofAlone.metrics} as metrics
     from records m ${ofAlone.join} where m.project_id = ${project_id} and m.run_id = ${run_id} and ${IS_ALONE}`,
  ];
}
const NO_TEXT = sql`null::text`;

/** Numbers from the traces of sessions. A trace by itself is the only one of its session. */
function numbersSql(lookups: Lookups) {
  const ofKept = { duration_ns: sql`totals.duration_ns`, metrics: COUNTED };
  const ofAlone = { metrics: sql`jsonb_build_object('num_traces', 1)`, join: NOTHING };
  if (lookups.has('sums')) {
    const metrics = sql`jsonb_build_object('num_traces', totals.num_traces, ${SUMS_OF_TOTALS})`;
    const alone = sql`cross join lateral (select m.project_id, m.run_id, m.id) s cross join lateral ${TOTALS} totals`;
    return {
      ofKept: { ...ofKept, metrics, join: sql`cross join lateral ${TOTALS} totals` },
      ofAlone: { metrics, join: alone },
    };
  }
  if (lookups.has('counts')) return { ofKept: { ...ofKept, join: sql`cross join lateral ${COUNTS} totals` }, ofAlone };
  return { ofKept: { duration_ns: sql`null::double precision`, metrics: sql`null::jsonb`, join: NOTHING }, ofAlone };
}
const COUNTED = sql`jsonb_build_object('num_traces', totals.num_traces)`;
const SUMS_OF_TOTALS = sql.raw(SUMMED.map((name) => `'${name}', totals.${name}`).join(', '));

/** A page of ids with what they are ordered by; each place contributes as many rows as the whole page may need. */
export function pageSql({ sort, starting_token, limit, ...selection }: SessionListing, last: LastSession | undefined): Fragment {
  const direction = sql.raw(sort.ascending ? 'asc' : 'desc');
  const key = sessionKeySql(sort.column_id);
  const condition = sql`${conditionSql(selection.where, SESSIONS)} and ${last ? behindSql(sort, key, last) : TRUE}`;
  const order = sql`order by key ${direction}, id ${direction}`;
  const enough = starting_token + limit + 1;
  const parts = placesSql(selection, toLookups(selection.where, sort.column_id)).map(
    (place) =>
      sql`(select r.project_id, r.run_id, r.id, ${key} as key from (${place}) r where ${condition} ${order} limit ${enough})`,
  );
  return sql`select * from (${sql.join(parts, UNION)}) page ${order} limit ${limit + 1} offset ${starting_token}`;
}

/** All ids of a selection. */
export function idsSql(selection: SessionSelection): Fragment<{ id: string }> {
  const condition = conditionSql(selection.where, SESSIONS);
  const places = placesSql(selection, toLookups(selection.where));
  return sql.join(
    places.map((place) => sql`select r.id from (${place}) r where ${condition}`),
    UNION,
  );
}

/** Reads the sort key of a session; nothing when the run has no such session. */
export function lastSql({ sort, ...selection }: SessionListing, id: string): Fragment<LastSession> {
  const key = sessionKeySql(sort.column_id);
  const places = placesSql(selection, toLookups({ and: [] }, sort.column_id));
  return sql.join(
    places.map((place) => sql`select (${key})::text as key, r.id from (${place}) r where r.id = ${id}`),
    UNION,
  );
}

/** No column of a session has values of several kinds; of ratings numbers count, and yes as 1 and no as 0. */
function sessionKeySql(column_id: string): Fragment {
  const rating = parseRatingColumn(column_id);
  return rating ? ratedNumberSql(rating) : sortKeysSql(column_id, SESSIONS)[0]!;
}

/** For the columns that a condition or a sort looks at. */
function toLookups(tree: FilterTree, sorted_by?: string): Lookups {
  const ids = [...columnsIn(tree), ...(sorted_by === undefined ? [] : [sorted_by])];
  return new Set(ids.map(toLookup).filter((lookup) => lookup !== undefined));
}

function toLookup(id: string): Lookup | undefined {
  if (id === 'input' || id === 'output') return id;
  const own = parseOwnName(id);
  if (own?.place !== 'metrics' || own.name === IS_IMPLICIT) return undefined;
  return own.name === NUM_TRACES || own.name === 'duration_ns' ? 'counts' : 'sums';
}

function columnsIn(tree: FilterTree): string[] {
  if ('filter' in tree) return [tree.filter.column_id];
  if ('not' in tree) return columnsIn(tree.not);
  return ('and' in tree ? tree.and : tree.or).flatMap(columnsIn);
}

/** A session that a page continues behind. */
export interface LastSession {
  readonly key: string | null;
  readonly id: string;
}

/** Condition for the sessions behind one. Missing values are the greatest, as in the order itself. */
function behindSql({ column_id, ascending }: SessionListing['sort'], key: Fragment, last: LastSession): Condition {
  const than = behindIn(ascending);
  const id = sql`${last.id}::uuid`;
  if (last.key === null) {
    const tied: Condition = sql`(${key} is null and r.id ${than} ${id})`;
    return ascending ? tied : sql`(${key} is not null or ${tied})`;
  }
  const mayBeMissing =
    column_id === 'output' ||
    column_id === 'external_id' ||
    parseOwnName(column_id) !== undefined ||
    parseRatingColumn(column_id) !== undefined;
  const missing = ascending && mayBeMissing ? sql` or ${key} is null` : NOTHING;
  return sql`((${key}, r.id) ${than} (${last.key}::${sqlType(column_id)}, ${id})${missing})`;
}

/** The type that values of a session's sort column have as parameters. */
const sqlType = (column_id: string): Fragment =>
  column_id === NUM_COMMENTS || parseRatingColumn(column_id) || parseOwnName(column_id)?.place === 'metrics'
    ? sql`double precision`
    : column_id === 'created_at'
      ? sql`timestamptz`
      : column_id === 'id'
        ? sql`uuid`
        : sql`text`;
