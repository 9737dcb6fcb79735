import type { FilterTree, RecordFilter } from '../../core/traces/record-query.ts';
import { isDuration } from '../kit/duration.ts';
import { CONDITIONS, type Condition, typedFilter } from './typed-filter.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Columns of rows that records have under the same name; of others the metadata of the row is read. */
const COLUMNS_OF_ROWS: ReadonlySet<string> = new Set(['name', 'input', 'output', 'tags', 'external_id', 'model', 'type']);

/**
 * A filter of a series as searches of records take it, whichever of the forms of the interface it has; the service reads them the same
 * way (`core/trends/series-filter.ts`). Undefined for what has none of them.
 */
export function toRecordTree(given: unknown): FilterTree | undefined {
  if (!isFields(given)) return undefined;
  if (isFields(given.filter)) return toRecordTree(given.filter);
  if (isFields(given.not)) {
    const inside = toRecordTree(given.not);
    return inside && { not: inside };
  }
  if (Array.isArray(given.and)) return { and: toTrees(given.and) };
  if (Array.isArray(given.or)) return { or: toTrees(given.or) };
  if (typeof given.column_id === 'string') return ofColumn(given, given.column_id);
  if (given.name === 'metadata' || given.name === 'node_name' || isNameless(given)) return ofScorerFilter(given);
  if (typeof given.column_name === 'string') {
    const column_id = COLUMNS_OF_ROWS.has(given.column_name) ? given.column_name : `dataset_metadata/${given.column_name}`;
    return ofColumn({ operator: 'contains', ...given }, column_id);
  }
  return typeof given.name === 'string' ? ofColumn(given, given.name) : undefined;
}

const toTrees = (nodes: readonly unknown[]): FilterTree[] => nodes.map(toRecordTree).filter((tree) => tree !== undefined);

const isNameless = ({ name, column_name, value }: Fields): boolean =>
  (name ?? column_name ?? null) === null && value !== undefined && value !== null;

/** A condition with its type stays as it is; to one without, the type of the column is added. */
function ofColumn({ operator: asked, ...given }: Fields, column_id: string): FilterTree {
  const operator = asked ?? (column_id === 'tags' ? 'contains' : 'eq');
  if (typeof given.type === 'string') return { filter: { ...given, column_id, operator } as unknown as RecordFilter };
  const sensitive = { case_sensitive: given.case_sensitive !== false };
  const condition = CONDITIONS.find(({ id }) => id === operator)?.id;
  if (Array.isArray(given.value) || condition === undefined) {
    const isNone = operator === 'ne' || operator === 'not_in';
    const value = [given.value].flat().map(String);
    return { filter: { type: 'text', column_id, operator: isNone ? 'not_in' : 'one_of', value, ...sensitive } };
  }
  const filter = toTypedFilter(column_id, condition, String(given.value));
  return { filter: 'case_sensitive' in filter ? { ...filter, ...sensitive } : filter };
}

function toTypedFilter(column_id: string, operator: Condition, value: string): RecordFilter {
  return typedFilter(column_id, operator, isDuration(column_id) ? `${value} ns` : value);
}

/** As metric settings have it: on the name of a record, or a key of its metadata. */
function ofScorerFilter({ name, key, operator, value, case_sensitive }: Fields): FilterTree {
  const column_id = name === 'metadata' ? `user_metadata/${key}` : 'name';
  const values = [value].flat().map(String);
  const sensitive = { case_sensitive: case_sensitive !== false };
  if (operator === 'contains')
    return { or: values.map((one) => ({ filter: { type: 'text', column_id, operator, value: one, ...sensitive } })) };
  const isOne: FilterTree = { filter: { type: 'text', column_id, operator: 'one_of', value: values, ...sensitive } };
  return operator === 'ne' || operator === 'not_in' ? { not: isOne } : isOne;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
