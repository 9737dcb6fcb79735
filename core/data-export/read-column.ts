import type { ParquetColumn, ParquetRow } from './parquet-file.ts';

/** A column with the way to its value. */
export interface ReadColumn<T> extends ParquetColumn {
  read(one: T): ParquetRow[number];
}

export const toColumns = (fields: readonly ReadColumn<never>[]): ParquetColumn[] =>
  fields.map(({ name, type, description }) => ({ name, type, description }));

/** A verdict as JSON; null where there is none. */
export const toJson = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));

/** A verdict where it is a number, or yes (1) or no (0). */
export const toNumber = (value: unknown): number | null =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null;

/** A row of something that is gone: of its columns, those that say what it was. */
export const toGoneValues = (columns: readonly ParquetColumn[], known: Readonly<Record<string, string | null>>): ParquetRow =>
  columns.map(({ name }) => known[name] ?? null);
