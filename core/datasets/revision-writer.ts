import type { Entry } from './block.ts';
import type { RowRevision } from './content.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';

const ROWS_AT_ONCE = 500;
const CHARS_AT_ONCE = 4_000_000;
/** Assumed length of any value but a string, in UTF-16 units. */
const CHARS_OF_OTHERS = 100;

/** Numbers revisions of rows and writes them several at a time. */
export class RevisionWriter {
  readonly #store: Pick<DatasetContentStore, 'insertRows'>;
  readonly #dataset_id: string;
  #next: number;
  #unwritten: RowRevision[] = [];
  #chars = 0;

  constructor(store: Pick<DatasetContentStore, 'insertRows'>, dataset_id: string, next: number) {
    this.#store = store;
    this.#dataset_id = dataset_id;
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /** Whether so much is unwritten that it should be flushed before more comes. */
  get isFull(): boolean {
    return this.#unwritten.length >= ROWS_AT_ONCE || this.#chars >= CHARS_AT_ONCE;
  }

  add(row: Omit<RowRevision, 'revision'>): Entry {
    const revision = this.#next;
    this.#next += 1;
    this.#unwritten.push({ ...row, revision });
    for (const value of Object.values(row.cells)) this.#chars += typeof value === 'string' ? value.length : CHARS_OF_OTHERS;
    return { position: row.position, revision };
  }

  async flush(): Promise<void> {
    if (this.#unwritten.length > 0) await this.#store.insertRows(this.#dataset_id, this.#unwritten);
    this.#unwritten = [];
    this.#chars = 0;
  }
}
