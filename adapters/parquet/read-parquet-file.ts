import { setImmediate } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { ParquetColumn, ParquetRow, ReadParquetFile } from '../../core/data-export/parquet-file.ts';
import { toTimestamp } from './microseconds.ts';

type Value = ParquetRow[number];

const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };
/** Types of values that nobody decodes here. */
const parsers = { timestampFromMicroseconds: toTimestamp };

/** Reads files that `ZstdParquetFile` has written. Others have their turn between two row groups. */
export const readParquetFile: ReadParquetFile = async (content, columns) => {
  const file = content.slice().buffer;
  const metadata = parquetMetadata(file, { geoparquet: false });
  const known = new Set(columns.map(({ name }) => name));
  const names = metadata.row_groups[0]?.columns.map(({ meta_data }) => meta_data?.path_in_schema[0] ?? '') ?? [];
  return names.every((name) => known.has(name)) ? readRowGroups(file, metadata, columns) : undefined;
};

async function* readRowGroups(file: ArrayBuffer, metadata: FileMetaData, columns: readonly ParquetColumn[]) {
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    await setImmediate();
    const rowEnd = rowStart + Number(num_rows);
    const rows = await parquetReadObjects({ file, metadata, compressors, parsers, rowStart, rowEnd, geoparquet: false });
    yield rows.map((row): ParquetRow => columns.map(({ name }) => toValue(row[name])));
    rowStart = rowEnd;
  }
}

const toValue = (value: unknown): Value => (typeof value === 'bigint' ? Number(value) : ((value ?? null) as Value));
