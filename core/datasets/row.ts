import { z } from 'zod';
import { cleanText } from '../kernel/text.ts';

/** The most that is brought in at once. */
export const MAX_ROWS = 200_000;
/** The most that one version of a dataset holds: edits may go beyond what one file brings. */
export const MAX_ROWS_OF_VERSION = 1_000_000;
export const MAX_COLUMNS = 1_000;

/** A single value, or one level of named ones. Anything deeper travels as JSON text. */
export type Scalar = string | number | null;
export type DatasetValue = Scalar | Readonly<Record<string, Scalar>>;

/** A row by the names of its columns. A column that is absent is null. */
export type RowValues = Readonly<Record<string, DatasetValue>>;

/**
 * Rows on their way into a dataset, read once from the first to the last, in batches of a few hundred or thousand.
 * Columns come in the order of `columns`, followed by whatever else the rows name, in the order of its appearance.
 * Column names MUST pass `ColumnName`, values MUST be as the type says, with finite numbers and without the key
 * `__proto__`. Whatever `batches` throws undoes everything that was written of the rows before.
 */
export interface RowSource {
  readonly columns: readonly string[];
  readonly batches: AsyncIterable<readonly RowValues[]>;
}

/** `__proto__` would be taken for what it is in JavaScript somewhere along the way. */
export const ColumnName = cleanText(1, 255).refine((name) => name !== '__proto__', { message: 'is no name for a column' });

const Scalar = z.union([z.string(), z.number(), z.null()]);
export const DatasetValue = z.union([Scalar, z.record(z.string(), Scalar)]);
