/**
 * An array as PostgreSQL reads it, of values that need no quotes: ids, numbers, timestamps and the like. The driver would look at
 * each character of each of them.
 */
export const toPlainArray = (values: readonly (string | number | boolean)[]): string => `{${values.join(',')}}`;

/** The same of texts. Each different one is quoted once. */
export function toTextArray(values: readonly string[]): string {
  const quoted = new Map<string, string>();
  const quote = (text: string): string => {
    const known = quoted.get(text) ?? `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
    quoted.set(text, known);
    return known;
  };
  return `{${values.map(quote).join(',')}}`;
}
