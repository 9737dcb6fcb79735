/**
 * Types of columns as files have them. `timestamp`: microseconds in UTC, given as ISO 8601. `int64`: a whole number that a double
 * holds. `strings`: a list. `json`: JSON text, which is a string to readers.
 */
export type ParquetType = 'string' | 'json' | 'strings' | 'timestamp' | 'int32' | 'int64' | 'double' | 'boolean';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
  readonly description: string;
  /** Whether each row has it. */
  readonly is_required?: true;
}

/** One value for each column, in their order. */
export type ParquetRow = readonly (string | number | boolean | readonly string[] | null)[];

/** A Parquet file that is being written in memory. */
export interface ParquetFile {
  readonly num_rows: number;
  /** Encoded so far. */
  readonly num_bytes: number;
  /** Encodes the rows as a row group of their own. */
  append(rows: readonly ParquetRow[]): void;
  /** Returns the whole file. Nothing can be appended any more. */
  finish(): Uint8Array;
}

/**
 * Reads the rows of a file, row group by row group, as columns of these names that the file lacks hold null. Returns undefined of a file that
 * has other columns.
 */
export type ReadParquetFile = (
  content: Uint8Array,
  columns: readonly ParquetColumn[],
) => Promise<AsyncIterable<readonly ParquetRow[]> | undefined>;

export type OpenParquetFile = (columns: readonly ParquetColumn[]) => ParquetFile;
