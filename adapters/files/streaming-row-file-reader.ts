import type { FileFormat } from '../../core/datasets/files/file-format.ts';
import type { FileSource } from '../../core/datasets/files/file-source.ts';
import { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { FileReading, ReadRequest, RowFileReader } from '../../core/datasets/files/row-file-reader.ts';
import { readInBatches } from '../../core/datasets/files/row-reading.ts';
import { formatToRead, HEAD_BYTES } from '../../core/datasets/files/seen-format.ts';
import { openCsv } from './csv-reader.ts';
import { openJson } from './json-reader.ts';
import { openJsonLines } from './jsonl-reader.ts';
import type { OpenRows } from './opened-rows.ts';
import { openParquet } from './parquet-reader.ts';

const OPENERS: Readonly<Record<FileFormat, OpenRows>> = {
  csv: openCsv,
  jsonl: openJsonLines,
  json: openJson,
  parquet: openParquet,
};

/** Reads text formats chunk by chunk, and Parquet a slice of rows at a time. */
export class StreamingRowFileReader implements RowFileReader {
  async open(file: FileSource, request: ReadRequest): Promise<FileReading> {
    const head = await file.read(0, HEAD_BYTES);
    const format = formatToRead(head, { claimed: request.format, name: request.file_name ?? '' });
    const tally = new ImportTally(format);
    const { columns, rows } = await OPENERS[format](file, request, tally);
    for (const name of columns) tally.addColumn(name);
    const { limits, refused_rows } = request;
    return {
      format,
      columns,
      batches: readInBatches(rows, { tally, limits, refused_rows }),
      progress: () => ({ rows_read: tally.rows_read, bytes_read: tally.bytes_read }),
      report: () => tally.report(),
    };
  }
}
