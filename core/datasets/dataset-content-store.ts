import type { Slice } from '../kernel/query/page.ts';
import type { Block, Entry } from './block.ts';
import type { RowPlace, RowRevision } from './content.ts';
import type { NextNumbers, StoredVersion, VersionHead } from './version.ts';

/** A filter on one column of a version. A column is known by its key. */
export interface CellFilter {
  readonly key: number;
  readonly operator: 'eq' | 'ne' | 'contains';
  readonly value: string;
}

export interface CellSort {
  readonly key: number;
  readonly ascending: boolean;
}

/**
 * The content of datasets in all its versions. Blocks, rows and versions are written once and never change; rows and
 * blocks that no version names mean nothing. Values handed in or out belong to the caller. Whoever writes MUST hold the
 * dataset by `exclusively`; numbers come from its head. Reading what is not there, as when the dataset was removed in
 * the meantime, rejects with AppError `not_found`.
 */
export interface DatasetContentStore {
  /**
   * Runs the work in a transaction, joining the one under way, with nobody else at work on the dataset until it ends.
   * Rejects with AppError `locked` when somebody else does not finish in good time. The dataset need not exist.
   */
  exclusively<T>(dataset_id: string, work: () => Promise<T>): Promise<T>;

  /** Undefined when the dataset has no version. */
  findHead(dataset_id: string): Promise<VersionHead | undefined>;
  /** The current version without an index. Undefined when there is no such version. */
  findVersion(dataset_id: string, version_index?: number): Promise<StoredVersion | undefined>;
  /** Empty for an unknown version. */
  listBlocks(dataset_id: string, version_index: number): Promise<Block[]>;
  /** In the order of their index. */
  listVersions(dataset_id: string, ascending: boolean, slice: Slice): Promise<StoredVersion[]>;
  /** Returns the version as it is now; undefined when there is none. */
  nameVersion(dataset_id: string, version_index: number, name: string | null): Promise<StoredVersion | undefined>;

  /** From here on, the version is the current one of its dataset. Its index MUST be the one after the last. */
  insertVersion(version: StoredVersion, blocks: readonly Block[], next: NextNumbers): Promise<void>;
  insertBlock(dataset_id: string, id: number, entries: readonly Entry[]): Promise<void>;
  insertRows(dataset_id: string, rows: readonly RowRevision[]): Promise<void>;

  /** In the order asked for. */
  readBlocks(dataset_id: string, ids: readonly number[]): Promise<Entry[][]>;
  /** In the order asked for. */
  readRows(dataset_id: string, revisions: readonly number[]): Promise<RowRevision[]>;
  /**
   * The first of them in the order asked for, up to the one with which their cells are `maxBytes` of JSON text or more: one row
   * at least, where any is asked for. No more is read than is returned, or little more.
   */
  readRowsWithin(dataset_id: string, revisions: readonly number[], maxBytes: number): Promise<RowRevision[]>;
  /** How many of the pairs of revisions have different cells, by `sameCells`. */
  countDiffering(dataset_id: string, pairs: readonly (readonly [before: number, after: number])[]): Promise<number>;
  /** The positions of rows that are or ever were in the dataset; what never was is absent. */
  computePositions(dataset_id: string, row_ids: readonly string[]): Promise<Map<string, number>>;

  /**
   * Where the rows of the blocks stand that pass all filters, by `cellText`: `ne` holds for null, the others do not. In the order of the
   * version, or of one column: numbers, then texts by code point, then null, the other way round when descending, ties
   * in the order of the version.
   */
  search(
    dataset_id: string,
    blocks: readonly Block[],
    filters: readonly CellFilter[],
    sort: CellSort | undefined,
    slice: Slice,
  ): Promise<RowPlace[]>;
}
