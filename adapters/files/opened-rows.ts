import type { FileSource } from '../../core/datasets/files/file-source.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { ReadRequest } from '../../core/datasets/files/row-file-reader.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';

/** A file as the reader of one format presents it. */
export interface OpenedRows {
  /** Known before the first row: those of a header or a schema. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<RawRow>;
}

export type OpenRows = (file: FileSource, request: ReadRequest, tally: ImportTally) => Promise<OpenedRows>;
