import { z } from 'zod';
import { ScorerFilter } from '../scores/metric-settings.ts';
import { type Column, findColumn } from '../traces/columns/column.ts';
import { type FilterTree, RecordFilter } from '../traces/record-query.ts';
import { toRecordColumn } from './metric-dimension.ts';

type Fields = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];
type Refuse = (path: Path, message: string, type?: string) => FilterTree;

const EVERYTHING: FilterTree = { and: [] };

/**
 * Filters of a series in every form that the interface has: of searches (a column with a type, or trees of these), of metric
 * settings (by `node_name` or `metadata`), of the content of datasets (`column_name`) and of lists (`name` for the column). One
 * condition or a list of them, which all have to hold.
 */
export const SeriesFilters = z.unknown().transform((given, ctx): readonly FilterTree[] => {
  const refuse: Refuse = (path, message, type) => {
    ctx.addIssue({ code: 'custom', path: [...path], message, ...(type ? { params: { type } } : {}) });
    return EVERYTHING;
  };
  if (!Array.isArray(given)) return [computeTree(given, [], refuse)];
  if (given.length > MAX_FILTERS) return [refuse([], `more than ${MAX_FILTERS} filters`)];
  return given.map((one, at) => computeTree(one, [at], refuse));
});

const MAX_FILTERS = 50;

function computeTree(given: unknown, path: Path, refuse: Refuse): FilterTree {
  if (!isFields(given)) return refuse(path, 'expected a filter');
  if (isFields(given.filter)) return computeTree(given.filter, [...path, 'filter'], refuse);
  if (isFields(given.not)) return { not: computeTree(given.not, [...path, 'not'], refuse) };
  for (const word of ['and', 'or'] as const) {
    const { [word]: nodes } = given;
    if (!Array.isArray(nodes)) continue;
    const read = nodes.map((node, at) => computeTree(node, [...path, word, at], refuse));
    return word === 'and' ? { and: read } : { or: read };
  }
  if (typeof given.column_id === 'string') return ofColumn(given, given.column_id, path, 'column_id', refuse);
  if (given.name === 'metadata' || given.name === 'node_name' || isNameless(given)) return ofScorerFilter(given, path, refuse);
  if (typeof given.column_name === 'string')
    return ofColumn({ operator: 'contains', ...given }, columnOfRow(given.column_name), path, 'column_name', refuse);
  if (typeof given.name === 'string') return ofColumn(given, given.name, path, 'name', refuse);
  return refuse([...path, 'column_id'], 'field required');
}

/** The shortest form of the specification: a value that the name of a step has to have. */
const isNameless = ({ name, column_name, value }: Fields): boolean =>
  (name ?? column_name ?? null) === null && value !== undefined && value !== null;

/** Maps a column of rows to one of records: a text of the record, where it has one of this name, else the metadata of the row. */
function columnOfRow(name: string): string {
  const fits = findColumn(name)?.filter_types.some((type) => type === 'text' || type === 'collection');
  return fits ? name : `dataset_metadata/${name}`;
}

/** A condition on a column, whose type may be left out. */
function ofColumn(given: Fields, asked: string, path: Path, named: string, refuse: Refuse): FilterTree {
  const column_id = toRecordColumn(asked);
  const column = findColumn(column_id);
  const type = given.type ?? (column && typeFor(column, given));
  if (type === undefined) return refuse([...path, named], 'unknown column', 'column_unknown');
  const value = given.type === undefined ? asRead(type, given.value) : given.value;
  const operator = given.operator ?? (type === 'collection' ? 'contains' : 'eq');
  const parsed = RecordFilter.safeParse({ ...given, type, column_id, operator, value });
  if (parsed.success) return { filter: parsed.data };
  for (const issue of parsed.error.issues) refuse([...path, ...(issue.path as (string | number)[])], issue.message);
  return EVERYTHING;
}

/** The filter of a column that reads a value of this kind; a text that is compared in part is read as a text. */
function typeFor({ filter_types }: Column, { operator, value }: Fields): RecordFilter['type'] | undefined {
  const [first] = [value].flat();
  const kind = typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : undefined;
  if (kind && filter_types.includes(kind)) return kind;
  if (operator === 'contains' && filter_types.includes('text')) return 'text';
  return filter_types.length > 1 && filter_types.includes('text') ? 'text' : filter_types[0];
}

/** Rows and metadata hold texts: what they say of a number or a truth is read as one. */
function asRead(type: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => asRead(type, one));
  if (typeof value !== 'string') return type === 'text' ? String(value) : value;
  if (type === 'number') return value.trim() === '' ? value : Number(value);
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  return value;
}

/** A filter of metric settings means here what it means there. */
function ofScorerFilter(given: Fields, path: Path, refuse: Refuse): FilterTree {
  const parsed = ScorerFilter.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) refuse([...path, ...(issue.path as (string | number)[])], issue.message);
    return EVERYTHING;
  }
  const { name, key, operator, value, case_sensitive } = parsed.data;
  const column_id = name === 'node_name' ? 'name' : `user_metadata/${key}`;
  const values = [value].flat();
  const on = (one: string): FilterTree => ({
    filter: { type: 'text', column_id, operator: 'contains', value: one, case_sensitive },
  });
  if (operator === 'contains') return { or: values.map(on) };
  const isNone = operator === 'ne' || operator === 'not_in';
  const isOne: FilterTree = { filter: { type: 'text', column_id, operator: 'one_of', value: values, case_sensitive } };
  return isNone ? { not: isOne } : isOne;
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
