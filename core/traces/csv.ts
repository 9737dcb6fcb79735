/** What spreadsheets take for the beginning of a formula, in their usual and their full-width form. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]/;

/** One record of a CSV file as RFC 4180 has it, with its line break. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`;

/** Nothing for what is missing; lists and objects as JSON text. Only texts can pass for a formula: an apostrophe disarms them. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? (FORMULA.test(value) ? `'${value}` : value) : JSON.stringify(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
