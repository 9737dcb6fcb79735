import type { RecordFilter } from '../../core/traces/record-query.ts';
import { durationIn, exactDuration, isDuration } from '../kit/duration.ts';

/** Conditions that can be typed in here, the usual one first; the API has more. */
export const CONDITIONS = [
  { id: 'eq', label: 'is' },
  { id: 'ne', label: 'is not' },
  { id: 'contains', label: 'contains' },
  { id: 'gte', label: '≥' },
  { id: 'gt', label: '>' },
  { id: 'lte', label: '≤' },
  { id: 'lt', label: '<' },
] as const;
export type Condition = (typeof CONDITIONS)[number]['id'];

const BOOLEANS = new Set(['has_children', 'is_complete']);
const DATES = new Set(['created_at', 'updated_at']);
const NUMBERS = new Set(['status_code', 'step_number', 'control_id', 'temperature']);

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

/** The filter that was typed: which kind it is follows from the column, and for metrics from the value. The API checks the rest. */
export function typedFilter(column_id: string, operator: Condition, value: string): RecordFilter {
  if (column_id === 'tags')
    return { type: 'collection', column_id, operator: operator === 'ne' ? 'not_in' : 'contains', value, case_sensitive: true };
  if (operator === 'contains') return { type: 'text', column_id, operator, value, case_sensitive: false };
  if (DATES.has(column_id)) return { type: 'date', column_id, operator: operator, value };
  if (isDuration(column_id)) return { type: 'number', column_id, operator, value: durationIn(value) };
  const isOrder = operator !== 'eq' && operator !== 'ne';
  if (isOrder || NUMBERS.has(column_id) || (column_id.startsWith('metrics/') && isNumber(value))) {
    if (!isNumber(value)) throw new Error(`"${value}" is not a number`);
    return { type: 'number', column_id, operator, value: Number(value) };
  }
  if (BOOLEANS.has(column_id)) return { type: 'boolean', column_id, operator, value: value === 'true' };
  return { type: 'text', column_id, operator, value, case_sensitive: true };
}

/** The filters of a series; other clients may have written them in other forms, or as one. */
export const listFilters = (given: unknown): RecordFilter[] => [given ?? []].flat() as RecordFilter[];

/** Whether a filter has the form of those that are made here. */
export const isPlain = (filter: RecordFilter): boolean => typeof filter.column_id === 'string' && typeof filter.type === 'string';

/** A filter in words, whichever of the forms of the interface it has; JSON where it has none of them. */
export const filterText = (filter: unknown): string => treeText(filter, true);

/** Of a tree: `isTop` where nothing stands round it, and it needs no brackets. */
function treeText(given: unknown, isTop: boolean): string {
  if (!isFields(given)) return JSON.stringify(given);
  if (isFields(given.filter)) return treeText(given.filter, isTop);
  if (isFields(given.not)) return `not ${treeText(given.not, false)}`;
  for (const word of ['and', 'or'] as const) {
    const { [word]: nodes } = given;
    if (Array.isArray(nodes)) return joined(nodes, word, isTop);
  }
  return conditionText(given);
}

function joined(nodes: readonly unknown[], word: 'and' | 'or', isTop: boolean): string {
  if (nodes.length === 0) return word === 'and' ? 'everything' : 'nothing';
  const text = nodes.map((node) => treeText(node, nodes.length === 1 && isTop)).join(` ${word} `);
  return isTop || nodes.length === 1 ? text : `(${text})`;
}

/** The condition on a column or, as metric settings and rows have it, on a name or a column of a row. */
function conditionText(given: Fields): string {
  const column = getColumn(given);
  if (column === undefined || given.value === undefined) return JSON.stringify(given);
  const operator = given.operator ?? (typeof given.column_name === 'string' || given.type === 'collection' ? 'contains' : 'eq');
  const word = CONDITIONS.find(({ id }) => id === operator)?.label ?? String(operator).replace('_', ' ');
  const isTime = typeof given.column_id === 'string' && given.type === 'number' && isDuration(given.column_id);
  const text = [given.value]
    .flat()
    .map((one) => (isTime ? exactDuration(Number(one)) : isFields(one) ? JSON.stringify(one) : one))
    .join(', ');
  return `${column} ${word} ${text.length > 40 ? `${text.slice(0, 40)} …` : text}`;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (given: unknown): given is Fields => typeof given === 'object' && given !== null && !Array.isArray(given);

/** Column of the condition, as the API reads it; undefined where it names none. */
function getColumn({ column_id, name, column_name, key }: Fields): string | undefined {
  if (typeof column_id === 'string') return column_id;
  if (name === 'metadata') return typeof key === 'string' ? `metadata ${key}` : undefined;
  if (name === 'node_name') return 'name';
  const named = column_name ?? name ?? 'name';
  return typeof named === 'string' ? named : undefined;
}
