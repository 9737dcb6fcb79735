import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import type { RecordFilter } from '../../core/traces/record-query.ts';
import { durationIn, exactDuration, isDuration } from '../kit/duration.ts';
import { timestampText } from '../kit/formatting.ts';

export type FilterType = RecordFilter['type'];
export type Operator = RecordFilter['operator'];

/** The operators that the API has for a type of filter, the usual one first. */
export const OPERATORS: Readonly<Record<FilterType, readonly Operator[]>> = {
  text: ['contains', 'eq', 'ne', 'one_of', 'not_in'],
  number: ['gte', 'gt', 'lte', 'lt', 'eq', 'ne', 'between'],
  date: ['gte', 'gt', 'lte', 'lt', 'eq', 'ne'],
  boolean: ['eq', 'ne'],
  collection: ['contains', 'eq', 'not_in'],
  id: ['eq', 'ne', 'one_of', 'not_in', 'contains'],
};

const WORDS: Readonly<Record<Operator, string>> = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  one_of: 'is one of',
  not_in: 'is none of',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  between: 'is between',
};

export const operatorText = (operator: Operator): string => WORDS[operator] ?? operator;

/** How a value is typed in. */
export type ValueForm = 'one' | 'many' | 'two' | 'truth' | 'moment';

export function valueForm(type: FilterType, operator: Operator): ValueForm {
  if (type === 'boolean') return 'truth';
  if (type === 'date') return 'moment';
  if (operator === 'between') return 'two';
  if (type === 'collection' || operator === 'one_of' || operator === 'not_in') return 'many';
  return 'one';
}

export const getFilterType = ({ filter_type }: ColumnDescriptor): FilterType => filter_type ?? 'text';

/** Whether what is compared with is a duration: typed with its unit, in nanoseconds for the API. */
export const isDurationFilter = ({ column_id, type }: Pick<RecordFilter, 'column_id' | 'type'>): boolean =>
  type === 'number' && isDuration(column_id);

export interface Typed {
  readonly column_id: string;
  readonly type: FilterType;
  readonly operator: Operator;
  /** As typed: lists a line each, moments in local time. */
  readonly value: string;
  readonly second: string;
  readonly case_sensitive: boolean;
}

/** The filter that was typed in. Throws an Error that says what is missing; the API checks the rest. */
export function toFilter(typed: Typed): RecordFilter {
  const { column_id, type, operator, case_sensitive } = typed;
  const cases = type === 'text' || type === 'collection' ? { case_sensitive } : {};
  return { type, column_id, operator, value: typedValue(typed), ...cases } as RecordFilter;
}

function typedValue(typed: Typed): unknown {
  const { type, value, second } = typed;
  const form = valueForm(type, typed.operator);
  const figureIn = isDurationFilter(typed) ? durationIn : numberIn;
  if (form === 'two') return [figureIn(value), figureIn(second)];
  if (form === 'truth') return value !== 'false';
  if (form === 'moment') return parseTimestamp(value);
  if (type === 'number') return figureIn(value);
  if (form === 'one') return value;
  const lines = value.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

function numberIn(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || Number.isNaN(number)) throw new Error(`"${text}" is not a number`);
  return number;
}

function parseTimestamp(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new Error('a day and a time are missing');
  return at.toISOString();
}

/** Converts a filter to the fields of the form, to edit it again. */
export function toTypedFilter(filter: RecordFilter): Typed {
  const { column_id, type, operator, value } = filter;
  const many = [value].flat().map(isDurationFilter(filter) ? (one) => exactDuration(Number(one)) : String);
  const isPair = operator === 'between';
  return {
    column_id,
    type,
    operator,
    value: type === 'date' ? localTimestamp(String(value)) : isPair ? (many[0] ?? '') : many.join('\n'),
    second: isPair ? (many[1] ?? '') : '',
    case_sensitive: 'case_sensitive' in filter ? filter.case_sensitive : true,
  };
}

/** As the browser's field for moments takes it: local time without a zone. */
function localTimestamp(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** A filter in words, the column by its label. */
export function filterText(filter: RecordFilter, label: string): string {
  const { operator, value } = filter;
  const shown = [value].flat().map((one) => shownValue(filter, one));
  const joined = operator === 'between' ? shown.join(' and ') : shown.join(', ');
  return `${label} ${operatorText(operator)} ${joined}`;
}

function shownValue(filter: RecordFilter, value: unknown): string {
  if (filter.type === 'date') return timestampText(String(value));
  if (isDurationFilter(filter)) return exactDuration(Number(value));
  return typeof value === 'string' ? `“${value}”` : String(value);
}
