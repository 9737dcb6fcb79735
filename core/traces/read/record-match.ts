import type { JsonValue } from '../../kernel/json.ts';
import { matchesCollection } from '../../kernel/query/filter-matching.ts';
import { compareText } from '../../kernel/query/sort.ts';
import { sortableTime } from '../../kernel/timestamp.ts';
import { type Column, findColumn, type Judged, NOT_JUDGED } from '../columns/column.ts';
import { isContentBlocks } from '../content-blocks.ts';
import type { LogRecord } from '../record.ts';
import {
  excludedBy,
  type FilterTree,
  isOnCalls,
  isOnContent,
  type RecordFilter,
  type RecordListing,
  toContentFilters,
  WORDS,
} from '../record-query.ts';
import { valueText } from './value-text.ts';
import { toWordText, wordsIn } from './words.ts';

/**
 * Whether a record meets a condition. What the memory adapter runs, and what every other adapter has to agree with. `spans`
 * are those of a trace, which filters on content and on calls look through as well.
 */
export function matches(
  tree: FilterTree,
  record: LogRecord,
  judged: Judged = NOT_JUDGED,
  spans: readonly LogRecord[] = [],
): boolean {
  if ('not' in tree) return !matches(tree.not, record, judged, spans);
  if ('and' in tree) return tree.and.every((node) => matches(node, record, judged, spans));
  if ('or' in tree) return tree.or.some((node) => matches(node, record, judged, spans));
  if (isOnCalls(tree.filter) && record.type === 'trace') return meetsOnCalls(tree.filter, spans);
  if (!isOnContent(tree.filter)) return meets(tree.filter, record, judged);
  return [record, ...spans].some((one) => meetsContent(tree.filter, one));
}

function meetsOnCalls(filter: RecordFilter, spans: readonly LogRecord[]): boolean {
  const excluded = excludedBy(filter);
  if (excluded) return !meetsOnCalls(excluded, spans);
  return spans.some((span) => meets(filter, span, NOT_JUDGED));
}

function meets(filter: RecordFilter, record: LogRecord, judged: Judged): boolean {
  const column = findColumn(filter.column_id);
  if (!column) return false;
  const value = column.value(record, judged);
  switch (filter.type) {
    case 'collection':
      return matchesCollection({ ...filter, values: [...toList(filter.value)] }, textsIn(value));
    case 'text':
      return meetsText(filter, valueText(value), isStructured(column, record));
    case 'id':
      return meetsList(filter.operator === 'contains' ? 'eq' : filter.operator, toList(filter.value), value);
    case 'number':
      return meetsNumber(filter, typeof value === 'number' ? value : null);
    case 'date':
      return meetsOrder(filter.operator, value === null ? null : sortableTime(value as string), sortableTime(filter.value));
    case 'boolean':
      return filter.operator === 'eq' ? value === filter.value : value !== filter.value;
  }
}

function meetsContent(filter: RecordFilter, record: LogRecord): boolean {
  if (filter.type !== 'text') return false;
  if (filter.column_id !== WORDS) return matches(toContentFilters(filter), record);
  const words = toWordText(record);
  return wordsIn(String(filter.value)).every((word) => words.includes(` ${word} `));
}

/** The elements of a list; what is no list has none. */
const textsIn = (value: JsonValue): string[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).map(valueText).filter((text) => text !== null) : [];

/** No value meets no condition but `ne` and `not_in`. */
function meetsList(operator: 'eq' | 'ne' | 'one_of' | 'not_in', wanted: readonly JsonValue[], value: JsonValue): boolean {
  const found = value !== null && wanted.includes(value);
  return operator === 'eq' || operator === 'one_of' ? found : !found;
}

function meetsText(filter: RecordFilter & { type: 'text' }, value: string | null, isJson: boolean): boolean {
  const fold = (text: string): string => (filter.case_sensitive ? text : text.toLowerCase());
  const wanted = toList(filter.value);
  if (filter.operator !== 'contains') return meetsList(filter.operator, wanted.map(fold), value === null ? null : fold(value));
  return value !== null && (isJson ? jsonNeedles(wanted) : wanted).some((needle) => fold(value).includes(fold(needle)));
}

/** Whether a column is JSON text that the sender never saw; what is read of content blocks is a plain text. */
function isStructured({ id }: Column, record: LogRecord): boolean {
  if (id !== 'input' && id !== 'output') return false;
  return typeof record[id] === 'object' && !isContentBlocks(record[id]);
}

/**
 * Forms of needles in JSON text: as they are, which finds parts of the JSON itself, and as they stand inside its
 * strings, so that a quote or a line break in a message is found.
 */
export const jsonNeedles = (needles: readonly string[]): readonly string[] => [
  ...needles,
  ...needles.map(escaped).filter((one, at) => one !== needles[at]),
];

const escaped = (needle: string): string => JSON.stringify(needle).slice(1, -1);

function meetsNumber({ operator, value: wanted }: RecordFilter & { type: 'number' }, value: number | null): boolean {
  if (operator !== 'between') return meetsOrder(operator, value, toList(wanted)[0]!);
  const [low, high] = wanted as readonly number[];
  return value !== null && value >= low! && value <= high!;
}

function meetsOrder<T extends number | string>(
  operator: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte',
  value: T | null,
  wanted: T,
): boolean {
  if (value === null) return operator === 'ne';
  switch (operator) {
    case 'eq':
      return value === wanted;
    case 'ne':
      return value !== wanted;
    case 'gt':
      return value > wanted;
    case 'gte':
      return value >= wanted;
    case 'lt':
      return value < wanted;
    case 'lte':
      return value <= wanted;
  }
}

const toList = <T extends string | number>(value: T | readonly T[]): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

/** How records are ordered by a sort; missing values come last ascending and first descending, ties go by id. */
export function byColumn(
  { column_id, ascending }: RecordListing['sort'],
  judgedBy: (record: LogRecord) => Judged = () => NOT_JUDGED,
): (a: LogRecord, b: LogRecord) => number {
  const column = findColumn(column_id);
  const sign = ascending ? 1 : -1;
  const getKey = (record: LogRecord): JsonValue => {
    const value = column?.value(record, judgedBy(record)) ?? null;
    return column?.data_type === 'timestamp' && typeof value === 'string' ? sortableTime(value) : value;
  };
  return (a, b) => sign * (compareValues(getKey(a), getKey(b)) || compareValues(a.id, b.id));
}

/** Values of several kinds: numbers, then booleans, then texts, where lists and objects count by their JSON text. */
function compareValues(a: JsonValue, b: JsonValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const difference = computeRank(a) - computeRank(b);
  if (difference !== 0) return difference;
  if (computeRank(a) === 2) return compareText(valueText(a)!, valueText(b)!);
  return a === b ? 0 : a < b ? -1 : 1;
}

const computeRank = (value: JsonValue): number => (typeof value === 'number' ? 0 : typeof value === 'boolean' ? 1 : 2);
