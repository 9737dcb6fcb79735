import type { Block, Entry } from '../../../core/datasets/block.ts';
import type { RowRevision } from '../../../core/datasets/content.ts';
import { datasetExists, type StoredDataset } from '../../../core/datasets/dataset.ts';
import type { DatasetFilter, DatasetFilterName, DatasetSort } from '../../../core/datasets/dataset-query.ts';
import type { DatasetChanges, DatasetStore, DatasetUse } from '../../../core/datasets/dataset-store.ts';
import type { NextNumbers, StoredVersion } from '../../../core/datasets/version.ts';
import { type FilterValue, matchesAll } from '../../../core/kernel/query/filter-matching.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';

type Facts = Omit<StoredDataset, 'current_version_index' | 'num_rows' | 'column_names'>;

/** Stored content of a dataset. */
export interface KeptContent {
  readonly versions: Cell<readonly StoredVersion[]>;
  readonly manifests: Table<number, { readonly blocks: readonly Block[]; readonly next: NextNumbers }>;
  readonly blocks: Table<number, readonly Entry[]>;
  readonly rows: Table<number, RowRevision>;
}

interface Use extends DatasetUse {
  readonly last_used_at: string;
}

/** Datasets, on the content that a `MemoryDatasetContentStore` keeps beside. */
export class MemoryDatasetStore implements DatasetStore {
  readonly #datasets: Table<string, Facts>;
  readonly #contents: Table<string, KeptContent>;
  readonly #projectExists: (id: string) => Promise<boolean>;
  readonly #uses: Cell<readonly Use[]>;

  constructor(deps: {
    contents: Table<string, KeptContent>;
    projectExists: (id: string) => Promise<boolean>;
    database: MemoryDatabase;
  }) {
    this.#contents = deps.contents;
    this.#projectExists = deps.projectExists;
    this.#datasets = deps.database.table();
    this.#uses = deps.database.cell([]);
  }

  async insert(dataset: Parameters<DatasetStore['insert']>[0]): Promise<void> {
    if (this.#datasets.has(dataset.id) || this.#isTaken(dataset.name)) throw datasetExists();
    this.#datasets.set(dataset.id, structuredClone({ ...dataset, updated_at: dataset.created_at }));
  }

  async find(id: string): Promise<StoredDataset | undefined> {
    return this.#stored(this.#datasets.get(id));
  }

  async takenNames(names: readonly string[]): Promise<string[]> {
    return names.filter((name) => this.#isTaken(name));
  }

  async list(
    filters: readonly DatasetFilter[],
    sort: DatasetSort,
    projects: readonly string[] | undefined,
    slice: Slice,
  ): Promise<StoredDataset[]> {
    const uses = await this.#liveUses();
    const datasets = [...this.#datasets.values()].flatMap((facts) => (facts.hidden ? [] : (this.#stored(facts) ?? [])));
    const passing = datasets.filter((dataset) =>
      filters.every((filter) => {
        const inverse = filter.name === 'not_in_project';
        return matchesAll([filter], (name) => filteredValue(dataset, name, uses)) !== inverse;
      }),
    );
    const keys = new Map(passing.map((dataset) => [dataset.id, this.#getKey(dataset, sort, uses, projects)]));
    const inOrder = passing.sort((a, b) => compareInOrder(sort, keys.get(a.id)!, keys.get(b.id)!) || compareText(a.id, b.id));
    return sliced(inOrder, slice);
  }

  async update(id: string, changes: DatasetChanges): Promise<StoredDataset | undefined> {
    const before = this.#datasets.get(id);
    if (!before) return undefined;
    if (changes.name !== undefined && changes.name !== before.name && this.#isTaken(changes.name)) throw datasetExists();
    this.#datasets.set(id, { ...before, ...changes });
    return this.find(id);
  }

  async remove(id: string): Promise<boolean> {
    this.#contents.delete(id);
    this.#uses.value = this.#uses.value.filter(({ dataset_id }) => dataset_id !== id);
    return this.#datasets.delete(id);
  }

  async use({ dataset_id, project_id }: DatasetUse, at: string): Promise<void> {
    this.#uses.value = this.#uses.value.filter((use) => use.dataset_id !== dataset_id || use.project_id !== project_id);
    this.#uses.value = [...this.#uses.value, { dataset_id, project_id, last_used_at: at }];
  }

  async listUses(dataset_ids: readonly string[]): Promise<DatasetUse[]> {
    const uses = (await this.#liveUses()).filter(({ dataset_id }) => dataset_ids.includes(dataset_id));
    return uses.map(({ dataset_id, project_id }) => ({ dataset_id, project_id }));
  }

  async #liveUses(): Promise<Use[]> {
    const live = await Promise.all(this.#uses.value.map(({ project_id }) => this.#projectExists(project_id)));
    return this.#uses.value.filter((_, at) => live[at]);
  }

  #isTaken(name: string): boolean {
    return [...this.#datasets.values()].some((dataset) => dataset.name === name);
  }

  #stored(facts: Facts | undefined): StoredDataset | undefined {
    const version = facts && this.#contents.get(facts.id)?.versions.value.at(-1);
    if (!version) return undefined;
    const updated_at = sortableTime(version.created_at) > sortableTime(facts.updated_at) ? version.created_at : facts.updated_at;
    const column_names = version.columns.map(({ name }) => name);
    const { version_index: current_version_index, num_rows } = version;
    return { ...structuredClone(facts), updated_at, current_version_index, num_rows, column_names };
  }

  #getKey(
    dataset: StoredDataset,
    sort: DatasetSort,
    uses: readonly Use[],
    projects: readonly string[] | undefined,
  ): string | number | undefined {
    const own = uses.filter(({ dataset_id }) => dataset_id === dataset.id);
    switch (sort.name) {
      case 'name':
        return dataset.name;
      case 'num_rows':
        return dataset.num_rows;
      case 'created_at':
      case 'updated_at':
        return sortableTime(dataset[sort.name]);
      case 'project_count':
        return own.filter(({ project_id }) => projects?.includes(project_id) ?? true).length;
      case 'project_last_used_at':
        return moment(own.filter(({ project_id }) => project_id === sort.value).map(({ last_used_at }) => last_used_at));
      case 'last_edited_by_user_at': {
        const versions = this.#contents.get(dataset.id)!.versions.value.filter(({ created_by }) => created_by === sort.value);
        return moment(versions.map(({ created_at }) => created_at));
      }
    }
  }
}

const moment = (times: readonly string[]): string | undefined => times.map(sortableTime).sort().at(-1);

function filteredValue(dataset: StoredDataset, name: DatasetFilterName, uses: readonly Use[]): FilterValue {
  if (name === 'id' || name === 'name' || name === 'draft') return dataset[name];
  return uses.filter(({ dataset_id }) => dataset_id === dataset.id).map(({ project_id }) => project_id);
}

/** Compares two keys of an order; rows without one come last either way. */
function compareInOrder({ ascending }: DatasetSort, a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = typeof a === 'string' ? compareText(a, String(b)) : a - Number(b);
  return ascending ? order : -order;
}
