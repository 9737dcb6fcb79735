import type { RowValues } from '../row.ts';
import { getLength } from './cell.ts';
import { TypeTally } from './column-type.ts';
import type { FileFormat } from './file-format.ts';
import { type ImportNote, type ImportReport, MAX_REFUSALS, type NoteType, type RowRefusal } from './import-report.ts';

class ColumnTally {
  readonly types = new TypeTally();
  filled = 0;
  longest = 0;
}

/** Running totals of a file while it is read. */
export class ImportTally {
  readonly #format: FileFormat;
  readonly #columns = new Map<string, ColumnTally>();
  readonly #notes = new Map<NoteType, ImportNote>();
  readonly #refusals: RowRefusal[] = [];
  rows_read = 0;
  rows_refused = 0;
  bytes_read = 0;

  constructor(format: FileFormat) {
    this.#format = format;
  }

  get columnCount(): number {
    return this.#columns.size;
  }

  addColumn(name: string): void {
    if (!this.#columns.has(name)) this.#columns.set(name, new ColumnTally());
  }

  hasColumn(name: string): boolean {
    return this.#columns.has(name);
  }

  accept(values: RowValues): void {
    for (const name in values) {
      const value = values[name] ?? null;
      const column = this.#columns.get(name);
      if (!column || value === null || value === '') continue;
      column.filled += 1;
      column.longest = Math.max(column.longest, getLength(value));
      column.types.add(value);
    }
  }

  refuse(refusal: RowRefusal): void {
    this.rows_refused += 1;
    if (this.#refusals.length < MAX_REFUSALS) this.#refusals.push(refusal);
  }

  /** The message of the first note of a type stands for all of them. */
  note(type: NoteType, msg: string): void {
    const known = this.#notes.get(type);
    this.#notes.set(type, { type, msg: known?.msg ?? msg, count: (known?.count ?? 0) + 1 });
  }

  report(): ImportReport {
    const columns = [...this.#columns].map(([name, { types, filled, longest }]) => ({ name, type: types.type, filled, longest }));
    return {
      format: this.#format,
      bytes_read: this.bytes_read,
      rows_read: this.rows_read,
      rows_accepted: this.rows_read - this.rows_refused,
      rows_refused: this.rows_refused,
      refusals: [...this.#refusals],
      columns,
      empty_columns: columns.filter(({ filled }) => filled === 0).map(({ name }) => name),
      notes: [...this.#notes.values()],
    };
  }
}
