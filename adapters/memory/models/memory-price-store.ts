import { type Budget, NO_BUDGET } from '../../../core/models/budgets/spending-budget.ts';
import type { PriceStore } from '../../../core/models/prices/own-prices.ts';
import type { ModelPrice } from '../../../core/plugin-sdk/index.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

interface Kept {
  readonly prices: readonly ModelPrice[];
  readonly forbids_unpriced: boolean;
  readonly budget: Budget;
}

const NOTHING_SET: Kept = { prices: [], forbids_unpriced: false, budget: NO_BUDGET };
const toKey = (project_id: string | null): string => project_id ?? 'organization';

export class MemoryPriceStore implements PriceStore {
  readonly #kept: Table<string, Kept>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#kept = database.table();
  }

  async list(project_id: string | null): Promise<ModelPrice[]> {
    return structuredClone([...this.#of(project_id).prices]);
  }

  async replace(project_id: string | null, prices: readonly ModelPrice[]): Promise<void> {
    this.#kept.set(toKey(project_id), { ...this.#of(project_id), prices: structuredClone(prices) });
  }

  async forbidsUnpriced(project_id: string | null): Promise<boolean> {
    return this.#of(project_id).forbids_unpriced;
  }

  async setUnpriced(project_id: string | null, forbidden: boolean): Promise<void> {
    this.#kept.set(toKey(project_id), { ...this.#of(project_id), forbids_unpriced: forbidden });
  }

  async findBudget(project_id: string | null): Promise<Budget> {
    return { ...this.#of(project_id).budget };
  }

  async setBudget(project_id: string | null, { daily, monthly }: Budget): Promise<void> {
    this.#kept.set(toKey(project_id), { ...this.#of(project_id), budget: { daily, monthly } });
  }

  /** Of a project that is deleted. */
  remove(project_id: string): void {
    this.#kept.delete(project_id);
  }

  #of(project_id: string | null): Kept {
    return this.#kept.get(toKey(project_id)) ?? NOTHING_SET;
  }
}
