import type { ColumnChunk, ColumnMetaData, FileMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { FileLimits } from '../../core/datasets/files/file-limits.ts';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { FileSource } from '../../core/datasets/files/file-source.ts';
import type { AppError } from '../../core/kernel/errors.ts';

const MEBI = 1024 * 1024;
const MAX_FOOTER_BYTES = 8 * MEBI;
/** A column chunk is read whole, a page is inflated whole. */
const MAX_CHUNK_BYTES = 128 * MEBI;
const MAX_PAGE_BYTES = 64 * MEBI;
const MAX_HEADER_BYTES = 64 * 1024;
/** Values of one column in one row group, where lists make them more than the rows; and of all its columns. */
const MAX_NESTED_VALUES = 4_000_000;
const MAX_NESTED_VALUES_OF_GROUP = 16_000_000;

/** Size of the pages as they declare it, once it is known to be possible. */
export interface GroupExtent {
  readonly rows: number;
  /** Inflated. */
  readonly bytes: number;
  readonly values: number;
}

/** The end of the file tells how long its description is; a description of many megabytes stands for nothing good. */
export async function checkFooter(file: FileSource): Promise<void> {
  const tail = await file.read(Math.max(0, file.size - 8), file.size);
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const ends = tail.length === 8 && new TextDecoder().decode(tail.subarray(4)) === 'PAR1';
  if (!ends) throw invalid('file_malformed', 'the Parquet file breaks off before its end');
  if (view.getUint32(0, true) > MAX_FOOTER_BYTES)
    throw invalid('file_malformed', 'the description of the Parquet file is too long');
}

/**
 * Compares what pages say they hold with what a file of these limits can hold, before any of it is made room for: a few
 * bytes can stand for billions of values. What the file says of its row groups is not gone by.
 */
export async function checkPages(
  file: FileSource,
  { row_groups, num_rows }: FileMetaData,
  limits: FileLimits,
): Promise<GroupExtent[]> {
  if (num_rows > limits.max_rows) throw invalid('file_too_many_rows', `the file has more than ${limits.max_rows} rows`);
  const inGroups = row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (inGroups !== num_rows) throw invalid('file_malformed', 'the row groups of the Parquet file do not add up');
  const extents: GroupExtent[] = [];
  let inflated = 0;
  for (const { num_rows: rows, columns } of row_groups) {
    const extent = await computeExtent(file, Number(rows), columns);
    inflated += extent.bytes;
    if (inflated > limits.max_content_length)
      throw tooLong(`the file is longer than ${limits.max_content_length} bytes, inflated`);
    extents.push(extent);
  }
  return extents;
}

async function computeExtent(file: FileSource, rows: number, columns: readonly ColumnChunk[]): Promise<GroupExtent> {
  let bytes = 0;
  let values = 0;
  let nested = 0;
  for (const { meta_data, file_path } of columns) {
    if (!meta_data || file_path) throw invalid('file_malformed', 'the Parquet file refers to other files');
    const chunk = await chunkExtent(file, meta_data, rows);
    bytes += chunk.bytes;
    values += chunk.values;
    if (meta_data.path_in_schema.length > 1) nested += chunk.values;
    if (nested > MAX_NESTED_VALUES_OF_GROUP)
      throw tooLong(`a row group has more than ${MAX_NESTED_VALUES_OF_GROUP} values in lists`);
  }
  return { rows, bytes, values };
}

async function chunkExtent(file: FileSource, column: ColumnMetaData, rows: number): Promise<GroupExtent> {
  const name = column.path_in_schema.join('.').slice(0, 100).toWellFormed();
  const start = Number(column.dictionary_page_offset || column.data_page_offset);
  const end = start + Number(column.total_compressed_size);
  const inside = start >= 4 && end > start && end <= file.size - 8;
  if (!inside && rows > 0) throw invalid('file_malformed', `column ${name} lies outside the file`);
  if (end - start > MAX_CHUNK_BYTES) throw tooLong(`column ${name} has a row group of more than ${MAX_CHUNK_BYTES} bytes`);
  const maxValues = column.path_in_schema.length > 1 ? MAX_NESTED_VALUES : rows;
  let values = 0;
  let bytes = 0;
  for (let at = start; at < end && rows > 0; ) {
    const page = await pageAt(file, at, end, name);
    values += page.values;
    bytes += page.bytes;
    if (values > maxValues) throw invalid('file_malformed', `column ${name} holds more values than the file has rows`);
    at = page.end;
  }
  return { rows, bytes, values };
}

const tooLong = (msg: string): AppError => invalid('file_content_too_long', msg);

interface PageExtent {
  readonly end: number;
  readonly bytes: number;
  readonly values: number;
}

async function pageAt(file: FileSource, at: number, end: number, name: string): Promise<PageExtent> {
  const bytes = await file.read(at, Math.min(end, at + MAX_HEADER_BYTES));
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const header = parquetHeader(reader);
  const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
  if (!(packed >= 0) || !(unpacked >= 0) || at + reader.offset + packed > end) {
    throw invalid('file_malformed', `a page of column ${name} lies outside the column`);
  }
  if (unpacked > MAX_PAGE_BYTES) throw tooLong(`column ${name} has a page of more than ${MAX_PAGE_BYTES} bytes`);
  const data = header.data_page_header ?? header.data_page_header_v2;
  // Every value can be made of the one before it: a page of megabytes stands for more than memory.
  if (data?.encoding === 'DELTA_BYTE_ARRAY') {
    throw invalid('file_format_unsupported', `column ${name} is encoded as DELTA_BYTE_ARRAY, which is not read`);
  }
  // A dictionary has no more entries than bytes, unless they take no room at all.
  const inDictionary = header.dictionary_page_header?.num_values ?? 0;
  if (inDictionary > unpacked || inDictionary < 0 || (data?.num_values ?? 0) < 0) {
    throw invalid('file_malformed', `a page of column ${name} holds an impossible number of values`);
  }
  return { end: at + reader.offset + packed, bytes: unpacked, values: data?.num_values ?? 0 };
}
