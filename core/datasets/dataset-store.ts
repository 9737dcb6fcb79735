import type { Slice } from '../kernel/query/page.ts';
import type { StoredDataset } from './dataset.ts';
import type { DatasetFilter, DatasetSort } from './dataset-query.ts';

export type DatasetChanges = Partial<Pick<StoredDataset, 'name' | 'draft'>> & Pick<StoredDataset, 'updated_at'>;

/** A project in which a dataset is used. */
export interface DatasetUse {
  readonly dataset_id: string;
  readonly project_id: string;
}

/**
 * Datasets and the projects that use them; their content is in the `DatasetContentStore`. Values handed in or out belong to
 * the caller. Uses in projects that do not exist any more do not exist either.
 */
export interface DatasetStore {
  /** Adds a dataset; its content may be there already. Rejects with AppError `conflict` when id or name is taken; the transaction under way goes on. */
  insert(dataset: Pick<StoredDataset, 'id' | 'name' | 'draft' | 'hidden' | 'created_by' | 'created_at'>): Promise<void>;
  /** Undefined when there is no such dataset, or it has no content. */
  find(id: string): Promise<StoredDataset | undefined>;
  /** Those of the names that are taken. */
  takenNames(names: readonly string[]): Promise<string[]>;
  /**
   * Datasets that are not hidden and pass all filters, in the order of the sort, ties by ascending id. Uses count in
   * the given projects only, or in all of them.
   */
  list(
    filters: readonly DatasetFilter[],
    sort: DatasetSort,
    projects: readonly string[] | undefined,
    slice: Slice,
  ): Promise<StoredDataset[]>;
  /** Returns the dataset as it is now, undefined when there is none. Rejects with AppError `conflict` as insert does. */
  update(id: string, changes: DatasetChanges): Promise<StoredDataset | undefined>;
  /** Removes the dataset with all its versions and uses. Returns whether there was one. */
  remove(id: string): Promise<boolean>;

  /** Notes that a project uses the dataset at this moment. To be called by whatever runs on a dataset. */
  use(use: DatasetUse, at: string): Promise<void>;
  /** Uses of the datasets in any order. */
  listUses(dataset_ids: readonly string[]): Promise<DatasetUse[]>;
}
