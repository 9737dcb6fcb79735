import { namedValues } from '../cells.ts';
import type { ColumnMapping } from '../column-mapping.ts';
import type { Cells } from '../content.ts';
import { mapColumns } from '../mapped-columns.ts';
import type { DatasetValue, RowValues } from '../row.ts';
import type { FileReading } from './row-file-reader.ts';

export interface FilePreview {
  readonly columns: readonly string[];
  /** Each row has every column. */
  readonly rows: readonly RowValues[];
}

/**
 * The first rows of a file as a dataset with this mapping would have them; the file is read no further than that.
 * Rejects with AppError `invalid` when the mapping does not fit the columns of these rows.
 */
export async function previewOf(reading: FileReading, limit: number, mapping?: ColumnMapping): Promise<FilePreview> {
  const rows = await firstRows(reading, limit);
  const names = [...new Set([...reading.columns, ...rows.flatMap((row) => Object.keys(row))])];
  const columns = names.map((name, key) => ({ key, name }));
  let nextKey = columns.length;
  const mapped = mapping ? mapColumns(columns, mapping, () => nextKey++) : { columns, change: undefined };
  const cellsOf = (row: RowValues): Cells =>
    Object.fromEntries<DatasetValue>(columns.flatMap(({ key, name }) => (hasValue(row, name) ? [[key, row[name]!]] : [])));
  const shown = (row: RowValues): RowValues => {
    const cells = cellsOf(row);
    return namedValues(mapped.change ? mapped.change(cells) : cells, mapped.columns);
  };
  return { columns: mapped.columns.map(({ name }) => name), rows: rows.map(shown) };
}

const hasValue = (row: RowValues, name: string): boolean => Object.hasOwn(row, name) && row[name] !== null;

async function firstRows({ batches }: FileReading, limit: number): Promise<RowValues[]> {
  const rows: RowValues[] = [];
  for await (const batch of batches) {
    rows.push(...batch.slice(0, limit - rows.length));
    if (rows.length >= limit) break;
  }
  return rows;
}
