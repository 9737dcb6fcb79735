import { isDeeperThan, type JsonValue } from '../../kernel/json.ts';
import type { DatasetValue, Scalar } from '../row.ts';
import { FILE_LIMITS, MAX_VALUE_DEPTH } from './file-limits.ts';

export interface Cell {
  readonly value: DatasetValue;
  /** It could not be held as it was, and became its JSON text. */
  readonly was_nested: boolean;
}

/** A value that cannot be written as JSON text: the stack, or a text, would be too long for it. */
export type Unwritable = 'too_deep' | 'cell_too_long';

const plain = (value: DatasetValue): Cell => ({ value, was_nested: false });

/**
 * A JSON value as a value of a dataset: texts, numbers, null and flat maps of them stay; a boolean, a list, and a map
 * that is not flat become their JSON text.
 */
export function toCell(value: JsonValue | undefined): Cell | Unwritable {
  if (value === undefined || value === null) return plain(null);
  if (typeof value === 'string' || typeof value === 'number') return plain(value);
  if (typeof value === 'boolean') return plain(String(value));
  if (isFlatMap(value)) return plain(value);
  if (isLongerThan(FILE_LIMITS.max_row_length, value)) return 'cell_too_long';
  if (isDeeperThan(MAX_VALUE_DEPTH, value)) return 'too_deep';
  return { value: JSON.stringify(value), was_nested: true };
}

/** Whether texts and values together are longer; one long text can stand in a list any number of times. */
function isLongerThan(limit: number, value: JsonValue): boolean {
  let length = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    length += typeof next === 'string' ? next.length + 2 : 2;
    if (length > limit) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, item] of Object.entries<JsonValue>(next)) {
      length += key.length;
      open.push(item);
    }
  }
  return false;
}

const isScalar = (value: unknown): value is Scalar => value === null || typeof value === 'string' || typeof value === 'number';

function isFlatMap(value: JsonValue): value is Readonly<Record<string, Scalar>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !Object.hasOwn(value, '__proto__') && Object.values(value).every(isScalar);
}

/** How long a value is when it is written, in UTF-16 units. */
export function getLength(value: DatasetValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number') return 8;
  if (value === null) return 0;
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + getLength(item), 0);
}

/** A run of digits that a double may not hold, or an exponent that it may not reach. */
const DOUBTFUL = /\d[\d.]{15}|\d[eE]/;

/**
 * Parses JSON, with every number that a double would not give back digit for digit as the text it was written as.
 * Throws SyntaxError.
 */
export function parseExactly(text: string): JsonValue {
  if (!DOUBTFUL.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as JsonValue;
}

function keepDigits(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && !isExact(source, value) ? source : value;
}

/** As short as it gets, or with the 17 digits that some writers always give. */
function isExact(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  const digits = significant(source);
  if (digits === significant(String(value))) return true;
  return digits.length === 17 && digits === significant(value.toPrecision(17));
}

/** The digits of a number without sign, point, exponent and the zeros around them. */
function significant(number: string): string {
  const digits = number.split(/[eE]/, 1)[0]!.replaceAll(/[-+.]/g, '');
  let [from, to] = [0, digits.length];
  while (from < to && digits[from] === '0') from += 1;
  // By hand: an expression looks for an end after each run of zeros, from each of them.
  while (to > from && digits[to - 1] === '0') to -= 1;
  return digits.slice(from, to);
}
