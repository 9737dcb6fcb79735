import type { DatasetValue } from '../row.ts';

/** What spreadsheets take for the beginning of a formula, in usual and full-width form, with any apostrophes before it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL is passed over by some of them
const FORMULA = /^'*[=+\-@\t\r\n\u0000\uff1d\uff0b\uff0d\uff20]/;
/**
 * A byte order mark would be taken off at the beginning of the file, and readers that guess what separates the cells count
 * semicolons and tabs.
 */
const QUOTED = /[",;\t\r\n\ufeff]/;

/**
 * An apostrophe before what would run as a formula at the reader's desk. One that stands there already gets a second, so
 * that taking one off gives back every text.
 */
export const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Whether `guarded` may have put the first apostrophe there. */
export const isGuarded = (text: string): boolean => text.startsWith("'") && FORMULA.test(text);

/** The text that `guarded` was given. */
export const unguarded = (text: string): string => (isGuarded(text) ? text.slice(1) : text);

/** One record of a CSV file as RFC 4180 has it, with its line break. */
export const csvRecord = (values: readonly DatasetValue[], guard: boolean): string =>
  `${values.map((value) => csvCell(value, guard)).join(',')}\r\n`;

/** Null is nothing at all and an empty text is `""`, so that both come back; maps are JSON text. Only texts pass for formulas. */
function csvCell(value: DatasetValue, guard: boolean): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = guard ? guarded(plain) : plain;
  return text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
