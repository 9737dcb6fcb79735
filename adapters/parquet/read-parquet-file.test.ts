import { describe, expect, it } from 'vitest';
import type { ParquetColumn, ParquetRow } from '../../core/data-export/parquet-file.ts';
import { readParquetFile } from './read-parquet-file.ts';
import { ZstdParquetFile } from './zstd-parquet-file.ts';

const COLUMNS: readonly ParquetColumn[] = (
  [
    ['version', 'int64'],
    ['name', 'string'],
    ['map', 'json'],
    ['tags', 'strings'],
    ['at', 'timestamp'],
    ['count', 'int32'],
    ['ratio', 'double'],
    ['is_it', 'boolean'],
  ] as const
).map(([name, type]) => ({ name, type, description: name, ...(name === 'version' && { is_required: true }) }));

const ROWS: readonly ParquetRow[] = [
  [1, 'a \u{1F600} \0', '{"k":"v"}', ['x', ''], '2026-01-02T03:04:05.678901Z', -3, 0.1, true],
  [2 ** 53 - 1, '', '[]', [], '1969-12-31T23:59:59.999999Z', 2, 1e300, false],
  [3, null, null, null, null, null, null, null],
];

function write(columns: readonly ParquetColumn[], ...groups: (readonly ParquetRow[])[]): Uint8Array {
  const file = new ZstdParquetFile(columns);
  for (const rows of groups) file.append(rows);
  return file.finish();
}
async function read(content: Uint8Array, columns: readonly ParquetColumn[]) {
  const rows = await readParquetFile(content, columns);
  if (!rows) return undefined;
  const groups: (readonly ParquetRow[])[] = [];
  for await (const group of rows) groups.push(group);
  return groups;
}

describe('reading a Parquet file of an export', () => {
  it('returns the rows as they were written, row group by row group', async () => {
    expect(await read(write(COLUMNS, ROWS, ROWS.slice(1)), COLUMNS)).toEqual([ROWS, ROWS.slice(1)]);
    const many = Array.from({ length: 3_000 }, (_, at): ParquetRow => ROWS[at % 3]!.with(0, at));
    expect((await read(write(COLUMNS, many), COLUMNS))?.flat()).toEqual(many);
  });

  it('has null for columns that a file of a former version lacks, whatever their order', async () => {
    const [first, second] = COLUMNS;
    expect(await read(write([second!, first!], [['a', 1]]), [first!, COLUMNS[3]!, second!])).toEqual([[[1, null, 'a']]]);
  });

  it('reads no file with columns that it does not know', async () => {
    expect(await read(write(COLUMNS, ROWS), COLUMNS.slice(1))).toBeUndefined();
  });
});
