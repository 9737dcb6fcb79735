import { AppError } from '../kernel/errors.ts';
import type { Cells } from './content.ts';
import { type DatasetValue, MAX_COLUMNS, type RowValues } from './row.ts';
import type { Column, VersionCounters } from './version.ts';

/** The columns of a version in the making: names turn into keys here, and new names get new ones. */
export class ColumnSet {
  #columns: Column[];
  #keys: Map<string, number>;
  #nextKey: number;

  constructor(columns: readonly Column[], nextKey: number) {
    this.#columns = [...columns];
    this.#keys = getKeys(columns);
    this.#nextKey = nextKey;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  get nextKey(): number {
    return this.#nextKey;
  }

  /** Rejects with AppError `invalid` when a version could not hold the column. */
  getKey(name: string): number {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#columns.length >= MAX_COLUMNS) throw tooManyColumns();
    const key = this.newKey();
    this.#columns.push({ key, name });
    this.#keys.set(name, key);
    return key;
  }

  newKey(): number {
    this.#nextKey += 1;
    return this.#nextKey - 1;
  }

  replace(columns: readonly Column[]): void {
    this.#columns = [...columns];
    this.#keys = getKeys(columns);
  }

  /** Columns of these names and no others, in this order; names that were there keep their keys. */
  become(names: readonly string[]): void {
    const keys = this.#keys;
    this.replace([]);
    for (const name of names) {
      const key = keys.get(name);
      if (key === undefined) this.getKey(name);
      else this.replace([...this.#columns, { key, name }]);
    }
  }

  toCells(values: RowValues): Cells {
    const cells: Record<number, DatasetValue> = {};
    for (const [name, value] of Object.entries(values)) {
      const key = this.getKey(name);
      if (value !== null) cells[key] = value;
    }
    return cells;
  }

  /** The cells with some columns written anew. */
  changed(cells: Cells, values: RowValues): Cells {
    const changed: Record<number, DatasetValue> = { ...cells };
    for (const [name, value] of Object.entries(values)) {
      const key = this.getKey(name);
      if (value === null) delete changed[key];
      else changed[key] = value;
    }
    return changed;
  }
}

const getKeys = (columns: readonly Column[]): Map<string, number> => new Map(columns.map(({ key, name }) => [name, key]));

/** By column, in the order of the version. */
export const toRowValues = (cells: Cells, columns: readonly Column[]): DatasetValue[] =>
  columns.map(({ key }) => cells[key] ?? null);

/** Names and values, null included. Entries are defined, not assigned: whatever a column is called, it is only a name. */
export const namedValues = (cells: Cells, columns: readonly Column[]): Record<string, DatasetValue> =>
  Object.fromEntries(columns.map(({ key, name }) => [name, cells[key] ?? null]));

export function sameCells(left: Cells, right: Cells): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => sameValue(left[Number(key)], right[Number(key)]));
}

/** Equal values have the same JSON text: maps keep the order of their names, so another order is another value. */
export const sameValue = (left: DatasetValue | undefined, right: DatasetValue | undefined): boolean =>
  left === right || JSON.stringify(left ?? null) === JSON.stringify(right ?? null);

type ColumnCounters = Pick<VersionCounters, 'columns_added' | 'columns_removed' | 'columns_renamed'>;

export function countColumns(before: readonly Column[], after: readonly Column[]): ColumnCounters {
  const { added, removed, renamed } = compareColumns(before, after);
  return { columns_added: added.length, columns_removed: removed.length, columns_renamed: renamed.length };
}

export function compareColumns(before: readonly Column[], after: readonly Column[]) {
  const then = new Map(before.map(({ key, name }) => [key, name]));
  const now = new Map(after.map(({ key, name }) => [key, name]));
  return {
    added: after.filter(({ key }) => !then.has(key)),
    removed: before.filter(({ key }) => !now.has(key)),
    renamed: after.flatMap(({ key, name }) => {
      const from = then.get(key);
      return from !== undefined && from !== name ? [{ key, from, to: name }] : [];
    }),
  };
}

const tooManyColumns = (): AppError => tooLarge(`a dataset has at most ${MAX_COLUMNS} columns`);

export const tooLarge = (msg: string): AppError =>
  new AppError('invalid', 'dataset_too_large', msg, { issues: [{ loc: ['body'], msg, type: 'dataset_too_large' }] });
