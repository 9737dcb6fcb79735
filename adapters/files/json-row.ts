import { parseExactly, toCell, type Unwritable } from '../../core/datasets/files/cell.ts';
import { MAX_VALUE_DEPTH } from '../../core/datasets/files/file-limits.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';
import type { DatasetValue } from '../../core/datasets/row.ts';
import type { JsonValue } from '../../core/kernel/json.ts';

const UNWRITABLE: Readonly<Record<Unwritable, string>> = {
  too_deep: `a value nests deeper than ${MAX_VALUE_DEPTH} levels`,
  cell_too_long: 'a list or nested object is too long',
};

/** One row of a JSON file as the row it stands for. */
export function rowOfJson(text: string, line: number | null, tally: ImportTally): RawRow {
  try {
    return rowOfValue(parseExactly(text), line, tally);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line, problem: 'not_json', msg: `not JSON: ${error.message.slice(0, 150).toWellFormed()}` };
  }
}

function rowOfValue(row: JsonValue, line: number | null, tally: ImportTally): RawRow {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return { line, problem: 'not_an_object', msg: `an object is expected, not ${getKind(row)}` };
  }
  return rowOfEntries(Object.entries(row), line, tally);
}

/** A row of JSON values, with what a dataset cannot hold as its JSON text. */
export function rowOfEntries(
  entries: readonly (readonly [string, JsonValue | undefined])[],
  line: number | null,
  tally: ImportTally,
): RawRow {
  const values: Record<string, DatasetValue> = {};
  for (const [name, value] of entries) {
    if (name === '__proto__') return { line, problem: 'name_invalid', msg: 'a column is called __proto__', column: name };
    const cell = toCell(value);
    if (typeof cell === 'string') return { line, problem: cell, msg: UNWRITABLE[cell], column: name };
    if (cell.was_nested) tally.note('nested_as_text', 'values with lists or nested objects are kept as their JSON text');
    values[name] = cell.value;
  }
  return { line, values };
}

const getKind = (value: JsonValue): string => (Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`);
