import type { TruthColumns } from '../../../core/health/truth-columns.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryTruthColumns implements TruthColumns {
  readonly #keys: Table<string, ReadonlyMap<string, number>>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#keys = database.table();
  }

  async choose(dataset_id: string, scorer_id: string, column_key: number | null): Promise<void> {
    const ofDataset = new Map(this.#keys.get(dataset_id));
    if (column_key === null) ofDataset.delete(scorer_id);
    else ofDataset.set(scorer_id, column_key);
    this.#keys.set(dataset_id, ofDataset);
  }

  async find(dataset_id: string, scorer_id: string): Promise<number | undefined> {
    return this.#keys.get(dataset_id)?.get(scorer_id);
  }

  async list(dataset_id: string): Promise<Map<string, number>> {
    return new Map(this.#keys.get(dataset_id));
  }
}
