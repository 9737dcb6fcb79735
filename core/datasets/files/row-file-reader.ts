import type { RowSource } from '../row.ts';
import type { ClaimedFormat, FileFormat } from './file-format.ts';
import type { FileLimits } from './file-limits.ts';
import type { FileSource } from './file-source.ts';
import type { ImportReport } from './import-report.ts';
import type { RefusedRows } from './row-reading.ts';

export interface ReadRequest {
  /** Format that the sender claims; else name and content tell. */
  readonly format?: ClaimedFormat | undefined;
  readonly file_name?: string;
  readonly refused_rows: RefusedRows;
  /** Apostrophes before what looks like a formula: kept as they are, or taken off where our own writer may have put them. */
  readonly formula_guards: 'keep' | 'undo';
  readonly limits: FileLimits;
}

/** A file that is being read: its rows, once, and what was understood of it. */
export interface FileReading extends RowSource {
  readonly format: FileFormat;
  /** How far it has come. */
  progress(): { readonly rows_read: number; readonly bytes_read: number };
  /** Returns the report so far; complete once the batches have come to their end or have thrown. */
  report(): ImportReport;
}

/** Reads rows out of files, whatever their size: what is in memory does not grow with the number of rows. */
export interface RowFileReader {
  /**
   * Looks at the beginning of the file. Rejects with AppError `invalid` when it is not of the format that was asked
   * for, or its header is not valid; the batches reject with AppError `invalid` when it breaks off or is malformed
   * later, when it exceeds a limit, or, with `fail`, at the end of a file some of whose rows were refused. The file has to
   * stay readable until the batches have ended. Giving up the batches early closes what was opened for them.
   */
  open(file: FileSource, request: ReadRequest): Promise<FileReading>;
}
