import { z } from 'zod';
import { limitInText, PageFields } from '../kernel/query/page.ts';
import { compareColumns, namedValues, sameValue } from './cells.ts';
import type { ChangeWithRows } from './changed-rows.ts';
import type { Cells } from './content.ts';
import { DatasetValue } from './row.ts';
import type { Column } from './version.ts';

/** Positions may be negative, what a page begins with may not. */
const POSITION_OFFSET = 2 ** 31;

export const getToken = (position: number): number => position + POSITION_OFFSET;
export const getPosition = (token: number): number => (token === 0 ? Number.NEGATIVE_INFINITY : token - POSITION_OFFSET);

/** `starting_token` is where the page begins, as the page before says; it counts nothing. A page ends after some bytes, too. */
export const DiffQuery = z.object({
  starting_token: z.coerce
    .number()
    .int()
    .min(0)
    .max(2 ** 32)
    .default(0),
  limit: limitInText(),
});
export type DiffQuery = z.output<typeof DiffQuery>;

const Values = z.record(z.string(), DatasetValue);

export const RowDiff = z
  .object({
    row_id: z.string(),
    change: z.enum(['added', 'removed', 'edited']),
    /** Null where the row is not there. */
    index_before: z.int().nullable(),
    index_after: z.int().nullable(),
    values_before: Values.nullable(),
    values_after: Values.nullable(),
    /** Of an edited row: what changed in it, by the newer name of the column. */
    cells: z.array(z.object({ column_name: z.string(), before: DatasetValue, after: DatasetValue })),
  })
  .meta({ id: 'DatasetRowDiff' });
export type RowDiff = z.output<typeof RowDiff>;

export const DatasetDiff = z
  .object({
    ...PageFields,
    from_version: z.int(),
    to_version: z.int(),
    columns_added: z.array(z.string()),
    columns_removed: z.array(z.string()),
    columns_renamed: z.array(z.object({ from: z.string(), to: z.string() })),
    /** How many rows changed in all; only on the first page. */
    summary: z.object({ rows_added: z.int(), rows_removed: z.int(), rows_edited: z.int() }).nullable(),
    rows: z.array(RowDiff),
  })
  .meta({ id: 'DatasetDiff' });
export type DatasetDiff = z.output<typeof DatasetDiff>;

export function columnDiff(before: readonly Column[], after: readonly Column[]) {
  const { added, removed, renamed } = compareColumns(before, after);
  return {
    columns_added: added.map(({ name }) => name),
    columns_removed: removed.map(({ name }) => name),
    columns_renamed: renamed.map(({ from, to }) => ({ from, to })),
  };
}

export function rowDiff(change: ChangeWithRows, before: readonly Column[], after: readonly Column[]): RowDiff {
  const { row_before, row_after } = change;
  return {
    row_id: (row_after ?? row_before)!.row_id,
    change: !row_before ? 'added' : !row_after ? 'removed' : 'edited',
    index_before: change.before?.index ?? null,
    index_after: change.after?.index ?? null,
    values_before: row_before ? namedValues(row_before.cells, before) : null,
    values_after: row_after ? namedValues(row_after.cells, after) : null,
    cells: row_before && row_after ? cellDiff(row_before.cells, row_after.cells, before, after) : [],
  };
}

function cellDiff(left: Cells, right: Cells, before: readonly Column[], after: readonly Column[]): RowDiff['cells'] {
  const stays = new Set(after.map(({ key }) => key));
  const gone = before.filter(({ key }) => !stays.has(key));
  return [...after, ...gone]
    .filter(({ key }) => !sameValue(left[key], right[key]))
    .map(({ key, name }) => ({ column_name: name, before: left[key] ?? null, after: right[key] ?? null }));
}
