import type { ColumnMetaData, FileMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { FileLimits } from '../../core/datasets/files/file-limits.ts';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { FileSource } from '../../core/datasets/files/file-source.ts';

const MEBI = 1024 * 1024;
const MAX_FOOTER_BYTES = 8 * MEBI;
/** A column chunk is read whole, a page is inflated whole. */
const MAX_CHUNK_BYTES = 128 * MEBI;
const MAX_PAGE_BYTES = 64 * MEBI;
const MAX_HEADER_BYTES = 64 * 1024;
/** Values of one column in one row group, where lists make them more than the rows. */
const MAX_NESTED_VALUES = 4_000_000;

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
 * bytes can stand for billions of values.
 */
export async function checkPages(file: FileSource, { row_groups, num_rows }: FileMetaData, limits: FileLimits): Promise<void> {
  if (num_rows > limits.max_rows) throw invalid('file_too_many_rows', `the file has more than ${limits.max_rows} rows`);
  const inGroups = row_groups.reduce((sum, group) => sum + group.num_rows, 0n);
  if (inGroups !== num_rows) throw invalid('file_malformed', 'the row groups of the Parquet file do not add up');
  for (const group of row_groups) {
    for (const { meta_data, file_path } of group.columns) {
      if (!meta_data || file_path) throw invalid('file_malformed', 'the Parquet file refers to other files');
      await checkChunk(file, meta_data, Number(group.num_rows));
    }
  }
}

async function checkChunk(file: FileSource, column: ColumnMetaData, rows: number): Promise<void> {
  const name = column.path_in_schema.join('.').slice(0, 100).toWellFormed();
  const start = Number(column.dictionary_page_offset || column.data_page_offset);
  const end = start + Number(column.total_compressed_size);
  const inside = start >= 4 && end > start && end <= file.size - 8;
  if (!inside && rows > 0) throw invalid('file_malformed', `column ${name} lies outside the file`);
  if (end - start > MAX_CHUNK_BYTES)
    throw invalid('file_content_too_long', `column ${name} has a row group of more than ${MAX_CHUNK_BYTES} bytes`);
  const maxValues = column.path_in_schema.length > 1 ? MAX_NESTED_VALUES : rows;
  let values = 0;
  for (let at = start; at < end && rows > 0; ) {
    const page = await pageAt(file, at, end, name);
    values += page.values;
    if (values > maxValues) throw invalid('file_malformed', `column ${name} holds more values than the file has rows`);
    at = page.end;
  }
}

interface PageExtent {
  readonly end: number;
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
  if (unpacked > MAX_PAGE_BYTES)
    throw invalid('file_content_too_long', `column ${name} has a page of more than ${MAX_PAGE_BYTES} bytes`);
  const data = header.data_page_header ?? header.data_page_header_v2;
  // A dictionary has no more entries than bytes, unless they take no room at all.
  const inDictionary = header.dictionary_page_header?.num_values ?? 0;
  if (inDictionary > unpacked || inDictionary < 0 || (data?.num_values ?? 0) < 0) {
    throw invalid('file_malformed', `a page of column ${name} holds an impossible number of values`);
  }
  return { end: at + reader.offset + packed, values: data?.num_values ?? 0 };
}
