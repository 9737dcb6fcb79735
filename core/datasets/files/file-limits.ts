import { MAX_COLUMNS, MAX_ROWS } from '../row.ts';

const MEBI = 1024 * 1024;

/**
 * Limits of an uploaded file. Lengths are those of JavaScript strings, in UTF-16 units. Lengths are those of JavaScript
 * texts, in UTF-16 units.
 */
export interface FileLimits {
  readonly max_rows: number;
  readonly max_columns: number;
  /** Of one cell; a longer one refuses its row. */
  readonly max_cell_length: number;
  /** Of one row; more cannot be gathered in memory, and refuses the file. */
  readonly max_row_length: number;
  /** Of all cells together: a small compressed file can stand for a very large one. */
  readonly max_content_length: number;
}

export const FILE_LIMITS: FileLimits = {
  max_rows: MAX_ROWS,
  max_columns: MAX_COLUMNS,
  max_cell_length: 16 * MEBI,
  max_row_length: 16 * MEBI,
  max_content_length: 1024 * MEBI,
};

/** Levels of arrays and objects in one value. */
export const MAX_VALUE_DEPTH = 64;
