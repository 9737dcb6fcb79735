import { withFormulaGuards } from '../../kernel/formula-guard.ts';

/** As for datasets, see `csv-cell.ts` there: readers who guess what separates the cells count semicolons and tabs. */
const QUOTED = /[",;\t\r\n\ufeff]/;

/** One record of a CSV file as RFC 4180 has it, with its line break. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(toCell).join(',')}\r\n`;

/** Nothing for what is missing; lists and objects as JSON text. Numbers and the like cannot pass for a formula. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = typeof value === 'string' || typeof value === 'object' ? withFormulaGuards(plain) : plain;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
