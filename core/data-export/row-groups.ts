import type { ParquetFile, ParquetRow } from './parquet-file.ts';

export interface RowGroupBounds {
  readonly max_rows: number;
  /** In whatever the rows are weighed in as they are added. */
  readonly max_weight: number;
}

/** Rows of a file that is being made, which are kept until they are enough for a row group. */
export class RowGroups {
  readonly #file: ParquetFile;
  readonly #bounds: RowGroupBounds;
  #rows: ParquetRow[] = [];
  #weight = 0;

  constructor(file: ParquetFile, bounds: RowGroupBounds) {
    this.#file = file;
    this.#bounds = bounds;
  }

  /** `weight`: of these rows together. */
  add(rows: readonly ParquetRow[], weight: number): void {
    this.#rows.push(...rows);
    this.#weight += weight;
    if (this.#rows.length >= this.#bounds.max_rows || this.#weight >= this.#bounds.max_weight) this.#flush();
  }

  finish(): Uint8Array {
    this.#flush();
    return this.#file.finish();
  }

  #flush(): void {
    if (this.#rows.length > 0) this.#file.append(this.#rows);
    this.#rows = [];
    this.#weight = 0;
  }
}
