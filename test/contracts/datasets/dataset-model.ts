import type { DatasetValue, RowValues } from '../../../core/datasets/row.ts';

/** A plain model of a dataset: every version is kept whole, and compared whole. */
export interface ModelRow {
  readonly id: string;
  /** By the identity of columns. */
  readonly cells: ReadonlyMap<number, DatasetValue>;
  readonly created: number;
  readonly updated: number;
}
export interface ModelColumn {
  readonly identity: number;
  readonly name: string;
}
export interface ModelVersion {
  readonly columns: readonly ModelColumn[];
  readonly rows: readonly ModelRow[];
}
export type ModelEdit =
  | { readonly edit_type: 'append_row' | 'prepend_row' | 'update_row'; readonly row_id: string; readonly values: RowValues }
  | { readonly edit_type: 'delete_row'; readonly row_id: string };

const text = (value: unknown): string => JSON.stringify(value);
const same = (a: ModelRow, b: ModelRow): boolean => text([...a.cells].sort(byKey)) === text([...b.cells].sort(byKey));
const byKey = ([a]: readonly [number, unknown], [b]: readonly [number, unknown]): number => a - b;

export class DatasetModel {
  readonly versions: ModelVersion[] = [];
  #identities = 0;

  get current(): ModelVersion {
    return this.versions.at(-1)!;
  }

  create(rows: readonly { readonly id: string; readonly values: RowValues }[]): void {
    const columns: ModelColumn[] = [];
    this.versions.push({ columns, rows: rows.map(({ id, values }) => this.#newRow(id, values, columns)) });
  }

  edit(edits: readonly ModelEdit[]): void {
    const columns = [...this.current.columns];
    let rows = [...this.current.rows];
    const base = new Set(rows.map(({ id }) => id));
    for (const edit of edits) {
      if (edit.edit_type === 'delete_row') rows = rows.filter(({ id }) => id !== edit.row_id || !base.has(id));
      else if (edit.edit_type === 'append_row') rows.push(this.#newRow(edit.row_id, edit.values, columns));
      else if (edit.edit_type === 'prepend_row') rows.unshift(this.#newRow(edit.row_id, edit.values, columns));
      else {
        const cells = this.#toCells(edit.values, columns);
        rows = rows.map((row) => (row.id === edit.row_id ? { ...row, cells: written(row.cells, cells) } : row));
      }
    }
    this.versions.push({ columns, rows: this.#touched(rows) });
  }

  keep(ids: readonly string[]): void {
    this.versions.push({ ...this.current, rows: this.current.rows.filter(({ id }) => ids.includes(id)) });
  }

  rollBack(version_index: number): void {
    this.versions.push(this.versions[version_index - 1]!);
  }

  copy(rows: readonly { readonly id: string; readonly values: RowValues }[], names: readonly string[]): void {
    const columns = names.map((name) => this.#toColumn(name, this.current.columns) ?? this.#newColumn(name));
    this.versions.push({ columns, rows: rows.map(({ id, values }) => this.#newRow(id, values, columns)) });
  }

  rename(from: string, to: string): void {
    const column = this.#toColumn(from, this.current.columns)!;
    const others = this.current.columns.filter(({ name }) => name !== from);
    this.versions.push({ ...this.current, columns: [{ ...column, name: to }, ...others] });
  }

  /** Several columns become one map under a name that none of them has. */
  merge(names: readonly string[], to: string): void {
    const sources = names.map((name) => this.#toColumn(name, this.current.columns)!);
    const made = this.#newColumn(to);
    const columns = [made, ...this.current.columns.filter(({ name }) => !names.includes(name))];
    const rows = this.current.rows.map((row) => {
      const cells = new Map([...row.cells].filter(([identity]) => !sources.some((source) => source.identity === identity)));
      const parts = sources.flatMap(({ identity, name }) => {
        const value = row.cells.get(identity) ?? null;
        return value === null ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : value] as const];
      });
      if (parts.length > 0) cells.set(made.identity, Object.fromEntries(parts));
      return { ...row, cells };
    });
    this.versions.push({ columns, rows: this.#touched(rows) });
  }

  toValues(row: ModelRow, columns: readonly ModelColumn[]): Record<string, DatasetValue> {
    return Object.fromEntries(columns.map(({ identity, name }) => [name, row.cells.get(identity) ?? null]));
  }

  /** Compares two versions row by row and column by column. */
  compare(before: ModelVersion, after: ModelVersion) {
    const was = new Map(before.rows.map((row) => [row.id, row]));
    const is = new Map(after.rows.map((row) => [row.id, row]));
    const then = new Map(before.columns.map((column) => [column.identity, column.name]));
    const now = new Map(after.columns.map((column) => [column.identity, column.name]));
    return {
      rows_added: after.rows.filter(({ id }) => !was.has(id)).map(({ id }) => id),
      rows_removed: before.rows.filter(({ id }) => !is.has(id)).map(({ id }) => id),
      rows_edited: after.rows.filter((row) => was.has(row.id) && !same(was.get(row.id)!, row)).map(({ id }) => id),
      columns_added: [...now.keys()].filter((identity) => !then.has(identity)),
      columns_removed: [...then.keys()].filter((identity) => !now.has(identity)),
      columns_renamed: [...now].filter(([identity, name]) => then.has(identity) && then.get(identity) !== name),
    };
  }

  /** Ids of the rows that were changed since `base` and would be changed by going back to `target`; whether columns would, too. */
  lost(base: number, target: number): { readonly rows: string[]; readonly columns: number } {
    const [before, after] = [this.versions[base - 1]!, this.versions[target - 1]!];
    const edited = this.compare(before, this.current);
    const overwritten = this.compare(this.current, after);
    const toRows = (lists: typeof edited) => [...lists.rows_added, ...lists.rows_removed, ...lists.rows_edited];
    const toColumns = (lists: typeof edited) => [
      ...lists.columns_added,
      ...lists.columns_removed,
      ...lists.columns_renamed.map(([identity]) => identity),
    ];
    const columns = toColumns(edited).filter((identity) => toColumns(overwritten).includes(identity));
    return { rows: toRows(edited).filter((id) => toRows(overwritten).includes(id)), columns: columns.length };
  }

  counters(version_index: number): Record<string, number> {
    const before = this.versions[version_index - 2] ?? { columns: [], rows: [] };
    const lists = this.compare(before, this.versions[version_index - 1]!);
    return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
  }

  /** Rows that have other values than in the version before were changed in the one that is being made. */
  #touched(rows: readonly ModelRow[]): ModelRow[] {
    const before = new Map(this.current.rows.map((row) => [row.id, row]));
    return rows.map((row) => {
      const old = before.get(row.id);
      if (!old) return row;
      return same(old, row) ? old : { ...row, updated: this.versions.length + 1 };
    });
  }

  #newRow(id: string, values: RowValues, columns: ModelColumn[]): ModelRow {
    const version = this.versions.length + 1;
    return { id, cells: written(new Map(), this.#toCells(values, columns)), created: version, updated: version };
  }

  #toCells(values: RowValues, columns: ModelColumn[]): Map<number, DatasetValue> {
    const cells = new Map<number, DatasetValue>();
    for (const [name, value] of Object.entries(values)) {
      const column = this.#toColumn(name, columns) ?? this.#newColumn(name);
      if (!columns.includes(column)) columns.push(column);
      cells.set(column.identity, value);
    }
    return cells;
  }

  #toColumn(name: string, columns: readonly ModelColumn[]): ModelColumn | undefined {
    return columns.find((column) => column.name === name);
  }

  #newColumn(name: string): ModelColumn {
    this.#identities += 1;
    return { identity: this.#identities, name };
  }
}

function written(
  cells: ReadonlyMap<number, DatasetValue>,
  changes: ReadonlyMap<number, DatasetValue>,
): Map<number, DatasetValue> {
  return new Map([...new Map([...cells, ...changes])].filter(([, value]) => value !== null));
}
