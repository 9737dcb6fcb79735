import { AppError, type Issue } from '../../kernel/errors.ts';
import { BLANK_RECORD } from '../blank-record.ts';
import type { SharedField } from '../catalogue/record-fields.ts';
import { findColumn, parseOwnName } from '../columns/column.ts';
import type { LogRecord } from '../record.ts';
import {
  type FilterTree,
  type RecordCount,
  type RecordFilter,
  type RecordListing,
  toRecordCondition,
  toRecordSort,
} from '../record-query.ts';
import type { Session } from './session.ts';
import { SUMMED } from './session-metrics.ts';

/** Number of traces of a session; its filters and sorts read it among the metrics, where sums over its traces are. */
export const NUM_TRACES = 'num_traces';

/**
 * Whether a session is that of one trace outside of sessions. Only a boolean filter knows it, which reads it among the metrics, too:
 * lists of conversations leave such sessions out by it.
 */
export const IS_IMPLICIT = 'is_implicit';

/** Columns of numbers that sessions have from their traces, which only a filter of numbers fits. */
export const SESSION_NUMBERS: readonly string[] = [NUM_TRACES, ...['duration_ns', ...SUMMED].map((name) => `metrics/${name}`)];

/**
 * Whether sessions have a column: the standard ones that apply to them, numbers from their traces, their ratings, and what their
 * `user_metadata` holds.
 */
export function isSessionColumn(id: string): boolean {
  if (id === IS_IMPLICIT || SESSION_NUMBERS.includes(id)) return true;
  const own = parseOwnName(id);
  return own ? own.place === 'user_metadata' : (findColumn(id)?.applies_to.includes('session') ?? false);
}

/** As `toRecordCondition`, for sessions. */
export function toSessionCondition(body: Pick<RecordCount, 'filters' | 'filter_tree'>): FilterTree {
  const filters = body.filters.flatMap((filter, index) => misfits(filter, ['body', 'filters', index]));
  const issues = [...filters, ...(body.filter_tree ? treeMisfits(body.filter_tree, ['body', 'filter_tree']) : [])];
  if (issues.length > 0) throw new AppError('invalid', 'filter_invalid', 'filters are not valid', { issues });
  return toRecordCondition({
    filters: body.filters.map(readFilter),
    filter_tree: body.filter_tree && readTree(body.filter_tree),
  });
}

/** As `toRecordSort`, for sessions. */
export function toSessionSort(sort: Parameters<typeof toRecordSort>[0]): RecordListing['sort'] {
  if (!sort || (sort.column_id !== IS_IMPLICIT && isSessionColumn(sort.column_id)))
    return toRecordSort(sort && { ...sort, column_id: readId(sort.column_id) });
  const issue = unknownColumn(sort.column_id, ['body', 'sort']);
  throw new AppError('invalid', 'sort_invalid', issue.msg, { issues: [issue] });
}

/**
 * A session as filters and sorts see it: the columns of a record that `isSessionColumn` allows mean the same on both. A
 * session without a name counts as one with an empty name, as traces do.
 */
export const filteredAs = ({
  project_id,
  run_id,
  id,
  name,
  created_at,
  external_id,
  input,
  output,
  user_metadata,
  num_traces,
  is_implicit,
  metrics,
}: Session): LogRecord => {
  const shared: Pick<LogRecord, SharedField> = { id, name: name ?? '', created_at, external_id, input, output };
  return {
    ...BLANK_RECORD,
    ...shared,
    project_id,
    run_id,
    trace_id: id,
    session_id: id,
    type: 'trace',
    updated_at: '',
    user_metadata,
    metrics: { ...metrics, [NUM_TRACES]: num_traces, [IS_IMPLICIT]: is_implicit },
  };
};

type Loc = readonly (string | number)[];

function treeMisfits(tree: FilterTree, loc: Loc): Issue[] {
  if ('filter' in tree) return misfits(tree.filter, [...loc, 'filter']);
  if ('not' in tree) return treeMisfits(tree.not, [...loc, 'not']);
  const [nodes, name] = 'and' in tree ? [tree.and, 'and'] : [tree.or, 'or'];
  return nodes.flatMap((node, index) => treeMisfits(node, [...loc, name, index]));
}

function misfits({ column_id, type }: RecordFilter, loc: Loc): Issue[] {
  if (!isSessionColumn(column_id)) return [unknownColumn(column_id, loc)];
  const fitting = column_id === IS_IMPLICIT ? 'boolean' : SESSION_NUMBERS.includes(column_id) ? 'number' : type;
  if (type === fitting) return [];
  const msg = `column takes a filter of type ${fitting}`;
  return [{ loc: [...loc, 'type'], msg, type: 'filter_type_mismatch', input: type }];
}

const readId = (column_id: string): string =>
  column_id === NUM_TRACES || column_id === IS_IMPLICIT ? `metrics/${column_id}` : column_id;
const readFilter = (filter: RecordFilter): RecordFilter => ({ ...filter, column_id: readId(filter.column_id) });

function readTree(tree: FilterTree): FilterTree {
  if ('filter' in tree) return { filter: readFilter(tree.filter) };
  if ('not' in tree) return { not: readTree(tree.not) };
  return 'and' in tree ? { and: tree.and.map(readTree) } : { or: tree.or.map(readTree) };
}

const unknownColumn = (input: string, loc: Loc): Issue => ({
  loc: [...loc, 'column_id'],
  msg: 'unknown column for sessions',
  type: 'column_unknown',
  input,
});
