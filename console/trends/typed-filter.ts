import type { RecordFilter } from '../../core/traces/record-query.ts';
import { durationIn, exactDuration, isDuration } from '../kit/duration.ts';

/** What can be typed in here, the usual one first; the API has more. */
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

/** A filter in words; one of another form as it was written. */
export function filterText(filter: RecordFilter): string {
  if (!isPlain(filter)) return JSON.stringify(filter);
  const { type, column_id, operator, value } = filter;
  const word = CONDITIONS.find(({ id }) => id === operator)?.label ?? String(operator ?? 'eq').replace('_', ' ');
  const isTime = type === 'number' && isDuration(column_id);
  const text = [value]
    .flat()
    .map((one) => (isTime ? exactDuration(Number(one)) : one))
    .join(', ');
  return `${column_id} ${word} ${text.length > 40 ? `${text.slice(0, 40)} …` : text}`;
}
