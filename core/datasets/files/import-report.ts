import { z } from 'zod';
import { COLUMN_TYPES } from './column-type.ts';
import { FileFormat } from './file-format.ts';

/** As many refused rows are told one by one; the rest are counted. */
export const MAX_REFUSALS = 100;

export const ROW_PROBLEMS = [
  'ragged',
  'not_json',
  'not_an_object',
  'too_deep',
  'cell_too_long',
  'name_invalid',
  'map_key_invalid',
] as const;
export type RowProblem = (typeof ROW_PROBLEMS)[number];

/** A row that was not taken. */
export const RowRefusal = z
  .object({
    /** Counts the rows of data from 1: a header is no row. */
    row: z.int(),
    /** Where the file has lines: the one on which the row begins, from 1. */
    line: z.int().nullable(),
    column: z.string().nullable(),
    type: z.enum(ROW_PROBLEMS),
    msg: z.string(),
  })
  .meta({ id: 'DatasetRowRefusal' });
export type RowRefusal = z.output<typeof RowRefusal>;

export const NOTES = [
  'bom_removed',
  'delimiter_found',
  'blank_lines_skipped',
  'header_padded',
  'nested_as_text',
  'formula_guards_kept',
  'formula_guards_undone',
  'binary_as_base64',
] as const;
export type NoteType = (typeof NOTES)[number];

/** A leniency that was used, and how often. */
export const ImportNote = z.object({ type: z.enum(NOTES), msg: z.string(), count: z.int() }).meta({ id: 'DatasetImportNote' });
export type ImportNote = z.output<typeof ImportNote>;

export const ImportedColumn = z
  .object({
    name: z.string(),
    type: z.enum(COLUMN_TYPES),
    /** Rows with a value that is neither null nor an empty text. */
    filled: z.int(),
    /** Length of the longest value, in UTF-16 units. */
    longest: z.int(),
  })
  .meta({ id: 'DatasetImportedColumn' });
export type ImportedColumn = z.output<typeof ImportedColumn>;

/** Report of what was read of a file. */
export const ImportReport = z
  .object({
    format: FileFormat,
    bytes_read: z.int(),
    rows_read: z.int(),
    rows_accepted: z.int(),
    rows_refused: z.int(),
    /** The first of them; `rows_refused` counts all. */
    refusals: z.array(RowRefusal).max(MAX_REFUSALS),
    /** In the order of the file. */
    columns: z.array(ImportedColumn),
    empty_columns: z.array(z.string()),
    notes: z.array(ImportNote),
  })
  .meta({ id: 'DatasetImportReport' });
export type ImportReport = z.output<typeof ImportReport>;
