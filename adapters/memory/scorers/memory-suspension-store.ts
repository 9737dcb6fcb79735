import { compareText } from '../../../core/kernel/query/sort.ts';
import type { Suspension } from '../../../core/scorers/scoring/suspension.ts';
import type { SuspensionStore } from '../../../core/scorers/scoring/suspension-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemorySuspensionStore implements SuspensionStore {
  readonly #all: Table<string, Suspension>;
  readonly #projectExists: (id: string) => Promise<boolean>;

  constructor({ database, projectExists }: { database: MemoryDatabase; projectExists: (id: string) => Promise<boolean> }) {
    this.#projectExists = projectExists;
    this.#all = database.table();
  }

  async insert(suspension: Suspension): Promise<boolean> {
    const key = `${suspension.project_id} ${suspension.scorer_version_id}`;
    if (this.#all.has(key) || !(await this.#projectExists(suspension.project_id))) return false;
    this.#all.set(key, { ...suspension });
    return true;
  }

  async list(project_id: string, scorer_version_ids: readonly string[]): Promise<Suspension[]> {
    const found = (await this.#living()).filter((one) => one.project_id === project_id);
    return found.filter((one) => scorer_version_ids.includes(one.scorer_version_id));
  }

  async listOfScorer(scorer_id: string): Promise<Suspension[]> {
    const found = (await this.#living()).filter((one) => one.scorer_id === scorer_id);
    return found.toSorted((a, b) => compareText(b.suspended_at, a.suspended_at) || compareText(a.project_id, b.project_id));
  }

  async remove(project_id: string, scorer_version_id: string): Promise<boolean> {
    return this.#all.delete(`${project_id} ${scorer_version_id}`);
  }

  /** Those of projects that are still there. */
  async #living(): Promise<Suspension[]> {
    for (const [key, { project_id }] of this.#all) if (!(await this.#projectExists(project_id))) this.#all.delete(key);
    return structuredClone([...this.#all.values()]);
  }
}
