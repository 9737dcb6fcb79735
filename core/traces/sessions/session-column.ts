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

/** Whether sessions have a column: the standard ones that apply to them, their ratings, and what their `user_metadata` holds. */
export function isSessionColumn(id: string): boolean {
  const own = parseOwnName(id);
  return own ? own.place === 'user_metadata' : (findColumn(id)?.applies_to.includes('session') ?? false);
}

/** As `toRecordCondition`, for sessions. */
export function toSessionCondition(body: Pick<RecordCount, 'filters' | 'filter_tree'>): FilterTree {
  const filters = body.filters.flatMap((filter, index) => misfits(filter, ['body', 'filters', index]));
  const issues = [...filters, ...(body.filter_tree ? treeMisfits(body.filter_tree, ['body', 'filter_tree']) : [])];
  if (issues.length > 0) throw new AppError('invalid', 'filter_invalid', 'filters are not valid', { issues });
  return toRecordCondition(body);
}

/** As `toRecordSort`, for sessions. */
export function toSessionSort(sort: Parameters<typeof toRecordSort>[0]): RecordListing['sort'] {
  if (!sort || isSessionColumn(sort.column_id)) return toRecordSort(sort);
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
  };
};

type Loc = readonly (string | number)[];

function treeMisfits(tree: FilterTree, loc: Loc): Issue[] {
  if ('filter' in tree) return misfits(tree.filter, [...loc, 'filter']);
  if ('not' in tree) return treeMisfits(tree.not, [...loc, 'not']);
  const [nodes, name] = 'and' in tree ? [tree.and, 'and'] : [tree.or, 'or'];
  return nodes.flatMap((node, index) => treeMisfits(node, [...loc, name, index]));
}

const misfits = ({ column_id }: RecordFilter, loc: Loc): Issue[] =>
  isSessionColumn(column_id) ? [] : [unknownColumn(column_id, loc)];

const unknownColumn = (input: string, loc: Loc): Issue => ({
  loc: [...loc, 'column_id'],
  msg: 'unknown column for sessions',
  type: 'column_unknown',
  input,
});
