import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetScan, parquetSchema } from 'hyparquet';
import { checkHeader } from '../../core/datasets/files/column-names.ts';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { FileSource } from '../../core/datasets/files/file-source.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { rowOfEntries } from './json-row.ts';
import type { OpenRows } from './opened-rows.ts';
import { checkFooter, checkPages, type GroupExtent } from './parquet-pages.ts';
import { COMPRESSORS, PARSERS, toJson } from './parquet-values.ts';

/** A row group is read in slices of about so many bytes, inflated, or values; each slice reads its columns once more. */
const SLICE_BYTES = 16 * 1024 * 1024;
const SLICE_VALUES = 4_000_000;
const MAX_SLICES = 32;
const CODECS = new Set(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD']);

/** Parquet, column by column and slice by slice: of a column, its part of one row group is in memory at a time. */
export const openParquet: OpenRows = (file, { limits }, tally) =>
  asRefusals(async () => {
    await checkFooter(file);
    const buffer = toBuffer(file);
    const metadata = await parquetMetadataAsync(buffer, { geoparquet: false });
    refuseUnknownCodecs(metadata);
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    checkHeader(columns, limits);
    const slices = toSlices(await checkPages(file, metadata, limits));
    return { columns, rows: toRows(buffer, metadata, columns, slices, tally) };
  });

function refuseUnknownCodecs({ row_groups }: FileMetaData): void {
  const used = row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec));
  const unknown = used.find((codec) => codec !== undefined && !CODECS.has(codec));
  if (unknown) throw invalid('file_format_unsupported', `the Parquet file is compressed with ${unknown}, which is not read`);
}

async function* toRows(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly string[],
  slices: Iterable<Slice>,
  tally: ImportTally,
): AsyncGenerator<RawRow> {
  const options = { file, metadata, parsers: PARSERS, compressors: COMPRESSORS, utf8: false, geoparquet: false };
  for (const { start, end } of slices) {
    const data: ArrayLike<unknown>[] = [];
    for (const column of columns) {
      // A scan of its own for each: it would keep what it read last.
      data.push(await asRefusals(async () => (await parquetScan(options)).readColumn({ column, rowStart: start, rowEnd: end })));
    }
    // The columns of a slice lie all over the file: what was read of it is a share.
    tally.bytes_read = Math.round((file.byteLength * end) / Number(metadata.num_rows));
    for (let index = 0; index < end - start; index += 1) {
      const entries = columns.map((name, at) => [name, toJson(data[at]?.[index], tally)] as const);
      yield rowOfEntries(entries, null, tally);
    }
  }
}

interface Slice {
  readonly start: number;
  readonly end: number;
}

function* toSlices(groups: readonly GroupExtent[]): Generator<Slice> {
  let groupStart = 0;
  for (const { rows, bytes, values } of groups) {
    const groupEnd = groupStart + rows;
    const count = Math.min(MAX_SLICES, Math.ceil(Math.max(1, bytes / SLICE_BYTES, values / SLICE_VALUES)));
    const size = Math.max(1, Math.ceil(rows / count));
    for (let start = groupStart; start < groupEnd; start += size) yield { start, end: Math.min(groupEnd, start + size) };
    groupStart = groupEnd;
  }
}

function toBuffer(file: FileSource): AsyncBuffer {
  return {
    byteLength: file.size,
    slice: async (start, end = file.size) => {
      const bytes = await file.read(start, end);
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    },
  };
}

/** The library throws plain errors, also of the engine, at whatever a broken file leads it to: they are the sender's. */
async function asRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw invalid('file_malformed', 'the Parquet file is malformed', { cause });
  }
}
