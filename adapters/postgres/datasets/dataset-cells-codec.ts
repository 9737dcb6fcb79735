import { sql } from 'kysely';
import type { Cells } from '../../../core/datasets/content.ts';
import type { DatasetValue } from '../../../core/datasets/row.ts';
import type { Fragment } from '../database/sql.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';

/**
 * Cells in `jsonb`: a text as it is, anything else as JSON text in a list of one. So maps keep the order of their names
 * and numbers their digits, and the text that a cell is found by is one expression away.
 */
export const encodeCells = (cells: Cells): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(cells).map(([key, value]) => [key, typeof value === 'string' ? encodeText(value) : [JSON.stringify(value)]]),
  );

export const decodeCells = (stored: Readonly<Record<string, string | [string]>>): Cells =>
  Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [
      key,
      typeof value === 'string' ? decodeText(value) : (JSON.parse(value[0]) as DatasetValue),
    ]),
  );

/** The text of a cell, null for none. `key` is the column's key as a parameter, as text. */
export const cellTextSql = (key: Fragment): Fragment =>
  sql`(case jsonb_typeof(r.cells -> ${key}) when 'array' then r.cells -> ${key} ->> 0 else r.cells ->> ${key} end)`;

/** The cell as a number, null where it is none. */
export const cellNumberSql = (key: Fragment): Fragment =>
  sql`(case when jsonb_typeof(r.cells -> ${key}) = 'array' and left(r.cells -> ${key} ->> 0, 1) <> '{'
    then (r.cells -> ${key} ->> 0)::double precision end)`;
