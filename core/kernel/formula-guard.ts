/** Characters that begin a formula in spreadsheets, in usual and full-width form. */
const SIGNS = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20';
/**
 * Characters that some spreadsheets skip before a formula: blanks, but for those that begin a cell, and NUL; and guards
 * that stand there already.
 */
const PASSED = `[' \\0\\v\\f\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*`;
/**
 * A cell begins at the beginning of a text, and for a reader who takes semicolons or tabs for what separates the cells (whom our
 * quotes do not stop, since they stand within a cell of theirs) behind each of these and in each new line. At the very beginning a
 * tab, a line break or a NUL is passed over too.
 */
const places = (guard: string): RegExp =>
  new RegExp(`^${guard}(?=${PASSED}[${SIGNS}\\t\\r\\n\\0])|(?<=[;\\t\\r\\n])${guard}(?=${PASSED}[${SIGNS}])`, 'g');

const UNGUARDED = places('');
const GUARDED = places("'");

/**
 * Formula injection: an apostrophe before whatever would run at the desk of somebody who opens the file in a spreadsheet. Where
 * one stands already it gets a second, so that `withoutFormulaGuards` gives back every text. Linear in its length.
 */
export const withFormulaGuards = (text: string): string => text.replace(UNGUARDED, "'");

/** The text that `withFormulaGuards` was given. */
export const withoutFormulaGuards = (text: string): string => text.replace(GUARDED, '');

/** Whether `withFormulaGuards` may have put an apostrophe there. */
export const mayHaveFormulaGuards = (text: string): boolean => withoutFormulaGuards(text) !== text;
