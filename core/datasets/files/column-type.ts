import { toUtc } from '../../kernel/timestamp.ts';
import type { DatasetValue } from '../row.ts';

/** Types that all values of a column have in common; `empty` where there are none. A statement only: values stay what they are. */
export const COLUMN_TYPES = ['empty', 'integer', 'number', 'boolean', 'timestamp', 'json', 'text'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

const TESTS: readonly (readonly [ColumnType, (text: string) => boolean])[] = [
  ['integer', (text) => /^-?(0|[1-9]\d{0,14})$/.test(text)],
  ['number', (text) => text.length <= 40 && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text)],
  ['boolean', (text) => text.length <= 5 && /^(true|false)$/i.test(text)],
  ['timestamp', isTimestamp],
  ['json', isJsonContainer],
];

/** Gathers the type of one column. Leading zeros make a number a text: it is a code. */
export class TypeTally {
  #open = TESTS;
  #seen = 0;

  add(value: DatasetValue): void {
    if (value === null || value === '') return;
    this.#seen += 1;
    if (this.#open.length > 0) this.#open = this.#open.filter(([type, test]) => fits(value, type, test));
  }

  get type(): ColumnType {
    if (this.#seen === 0) return 'empty';
    return this.#open[0]?.[0] ?? 'text';
  }
}

function fits(value: DatasetValue, type: ColumnType, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(value));
  return type === 'json';
}

function isTimestamp(text: string): boolean {
  if (text.length < 10 || text.length > 40 || !/^\d{4}-\d{2}-\d{2}/.test(text)) return false;
  return toUtc(text.length === 10 ? `${text}T00:00:00Z` : text) !== undefined;
}

function isJsonContainer(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
