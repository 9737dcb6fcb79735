import type { TruthColumns } from '../../../core/health/truth-columns.ts';

export class MemoryTruthColumns implements TruthColumns {
  readonly #keys = new Map<string, Map<string, number>>();

  async choose(dataset_id: string, scorer_id: string, column_key: number | null): Promise<void> {
    const ofDataset = this.#keys.get(dataset_id) ?? new Map<string, number>();
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
