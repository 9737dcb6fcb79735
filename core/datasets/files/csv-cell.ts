import { withFormulaGuards } from '../../kernel/formula-guard.ts';
import type { DatasetValue } from '../row.ts';

/**
 * A byte order mark would be taken off at the beginning of the file, and readers that guess what separates the cells count
 * semicolons and tabs.
 */
const QUOTED = /[",;\t\r\n\ufeff]/;

/** One record of a CSV file as RFC 4180 has it, with its line break. */
export const csvRecord = (values: readonly DatasetValue[], guard: boolean): string =>
  `${values.map((value) => csvCell(value, guard)).join(',')}\r\n`;

/** Null is nothing at all and an empty text is `""`, so that both come back; maps are JSON text. Only texts pass for formulas. */
function csvCell(value: DatasetValue, guard: boolean): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = guard ? withFormulaGuards(plain) : plain;
  return text === '' || QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
