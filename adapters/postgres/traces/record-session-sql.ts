import { parseOwnName } from '../../../core/traces/columns/column.ts';
import type { FilterTree, RecordListing } from '../../../core/traces/record-query.ts';
import type { SessionSelection } from '../../../core/traces/sessions/session-store.ts';
import { type Bind, sortKeysSql } from './record-columns.ts';
import { conditionSql } from './record-conditions.ts';

/**
 * Where the traces `m` of the session `s` are, which has `project_id`, `run_id` and `id`: two indexes hold them. Some
 * comparisons of `run_id` are put so that no index but the primary key serves: on a table without statistics another one
 * looks as good to the planner, and would be read for the whole run.
 */
const TRACE_PLACES = [
  'm.project_id = s.project_id and m.run_id = s.run_id and m.session_id = s.id and m.is_trace and m.session_id <> m.id',
  'm.project_id = s.project_id and m.id = s.id and (m.run_id = s.run_id) is true and m.is_trace and m.session_id = m.id',
];

/** Columns of all traces of the session `s`. */
export const tracesSql = (columns: string): string =>
  `(${TRACE_PLACES.map((place) => `select ${columns} from records m where ${place}`).join(' union all ')})`;

/** Columns of the first traces of the session `s`, or of the last, which each of the places is asked for by itself. */
export function someTracesSql(columns: string, direction: 'asc' | 'desc', limit: string, offset = '0'): string {
  const order = `order by created_at ${direction}, id ${direction}`;
  const parts = TRACE_PLACES.map(
    (place) => `(select m.created_at, m.id, ${columns} from records m where ${place} ${order} limit ${limit} + ${offset})`,
  );
  return `(select * from (${parts.join(' union all ')}) t ${order} limit ${limit} offset ${offset})`;
}

/** Joins with the first trace of the session `s`, as `head`, and with the last one, as `tail`. */
const HEAD = `left join lateral ${someTracesSql('m.input, m.payload_kinds, m.content_blocks', 'asc', '1')} head on true`;
const TAIL = `left join lateral ${someTracesSql('m.output, m.payload_kinds, m.content_blocks', 'desc', '1')} tail on true`;
export const HEAD_AND_TAIL = `${HEAD} ${TAIL}`;

/** Whether no kept session has the id of the trace `m`: then the trace is one by itself. */
const IS_ALONE = `m.is_trace and m.session_id = m.id
  and not exists (select from sessions k where k.project_id = m.project_id and k.id = m.id and (k.run_id = m.run_id) is true)`;

const KEPT = "s.project_id, s.run_id, s.id, coalesce(s.name, '') as name, s.external_id, s.user_metadata, s.created_at";
const ALONE = 'm.project_id, m.run_id, m.id, m.name, null::text as external_id, m.user_metadata, m.created_at';

/** Payloads to read of first and last traces. */
export type Payloads = ReadonlySet<'input' | 'output'>;

/**
 * The sessions of a run as two tables of the same columns, which are those that conditions know of `records r`: sessions
 * that are kept, and traces that are one by themselves. Payloads are looked up only where they are asked for.
 */
export function placesSql(
  { project_id, run_id }: Pick<SessionSelection, 'project_id' | 'run_id'>,
  payloads: Payloads,
  bind: Bind,
): string[] {
  const [project, run] = [bind(project_id), bind(run_id)];
  const head = payloads.has('input')
    ? [HEAD, `coalesce(head.input, '')`, 'coalesce(head.payload_kinds, 0) & 1']
    : ['', 'null::text', '0'];
  const tail = payloads.has('output') ? [TAIL, 'tail.output', 'coalesce(tail.payload_kinds, 0) & 2'] : ['', 'null::text', '0'];
  return [
    `select ${KEPT}, ${head[1]} as input, ${tail[1]} as output, ${head[2]} | ${tail[2]} as payload_kinds
     from sessions s ${head[0]} ${tail[0]} where s.project_id = ${project} and s.run_id = ${run}`,
    `select ${ALONE}, m.input, m.output, m.payload_kinds
     from records m where m.project_id = ${project} and m.run_id = ${run} and ${IS_ALONE}`,
  ];
}

/** The page of ids with what they are ordered by; each place contributes as many rows as the whole page may need. */
export function pageSql(
  selection: SessionSelection,
  { sort, starting_token, limit }: Pick<RecordListing, 'sort' | 'starting_token' | 'limit'>,
  behind: (keys: string) => string,
  bind: Bind,
): string {
  const direction = sort.ascending ? 'asc' : 'desc';
  const [key = ''] = sortKeysSql(sort.column_id, bind);
  const condition = `${conditionSql(selection.where, bind)} and ${behind(key)}`;
  const order = `order by key ${direction}, id ${direction}`;
  const enough = bind(starting_token + limit + 1);
  const parts = placesSql(selection, toPayloads(selection.where, sort.column_id), bind).map(
    (place) =>
      `(select r.project_id, r.run_id, r.id, ${key} as key from (${place}) r where ${condition} ${order} limit ${enough})`,
  );
  return `select * from (${parts.join(' union all ')}) page ${order} limit ${bind(limit + 1)} offset ${bind(starting_token)}`;
}

/** All ids of a selection. */
export function idsSql(selection: SessionSelection, bind: Bind): string {
  const condition = conditionSql(selection.where, bind);
  const places = placesSql(selection, toPayloads(selection.where), bind);
  return places.map((place) => `select r.id from (${place}) r where ${condition}`).join(' union all ');
}

/** Those that a condition or a sort looks at. */
export function toPayloads(tree: FilterTree, sorted_by?: string): Payloads {
  const ids = [...columnsIn(tree), sorted_by];
  return new Set(ids.filter((id) => id === 'input' || id === 'output'));
}

function columnsIn(tree: FilterTree): string[] {
  if ('filter' in tree) return [tree.filter.column_id];
  if ('not' in tree) return columnsIn(tree.not);
  return ('and' in tree ? tree.and : tree.or).flatMap(columnsIn);
}

/** The type that values of a session's sort column have as parameters. */
const sqlType = (column_id: string): string =>
  column_id === 'created_at' ? 'timestamptz' : column_id === 'id' ? 'uuid' : 'text';

/** Condition for the sessions behind one whose sort key and id are given. Missing values are the greatest, as in the order itself. */
export function behindSql(
  { column_id, ascending }: RecordListing['sort'],
  last: { readonly key: string | null; readonly id: string },
  bind: Bind,
): (key: string) => string {
  const than = ascending ? '>' : '<';
  const id = `${bind(last.id)}::uuid`;
  if (last.key === null) {
    const tied = (key: string): string => `(${key} is null and r.id ${than} ${id})`;
    return ascending ? tied : (key) => `(${key} is not null or ${tied(key)})`;
  }
  const value = `${bind(last.key)}::${sqlType(column_id)}`;
  const mayBeMissing = column_id === 'output' || column_id === 'external_id' || parseOwnName(column_id) !== undefined;
  const missing = ascending && mayBeMissing ? (key: string) => ` or ${key} is null` : () => '';
  return (key) => `((${key}, r.id) ${than} (${value}, ${id})${missing(key)})`;
}
