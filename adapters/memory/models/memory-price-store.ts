import type { PriceStore } from '../../../core/models/prices/own-prices.ts';
import type { ModelPrice } from '../../../core/plugin-sdk/index.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

const toKey = (project_id: string | null): string => project_id ?? 'organization';

export class MemoryPriceStore implements PriceStore {
  readonly #prices: Table<string, readonly ModelPrice[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#prices = database.table();
  }

  async list(project_id: string | null): Promise<ModelPrice[]> {
    return structuredClone([...(this.#prices.get(toKey(project_id)) ?? [])]);
  }

  async replace(project_id: string | null, prices: readonly ModelPrice[]): Promise<void> {
    this.#prices.set(toKey(project_id), structuredClone(prices));
  }

  /** Of a project that is deleted. */
  remove(project_id: string): void {
    this.#prices.delete(project_id);
  }
}
