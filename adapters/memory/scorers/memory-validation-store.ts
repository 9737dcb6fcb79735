import { AppError } from '../../../core/kernel/errors.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import type { Evidence, Validation } from '../../../core/scorers/validation/validation.ts';
import type { ValidationStore } from '../../../core/scorers/validation/validation-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryValidationStore implements ValidationStore {
  readonly #validations: Table<string, Validation>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#validations = database.table();
  }

  async insert(validation: Validation): Promise<void> {
    if (this.#validations.has(validation.id))
      throw new AppError('conflict', 'validation_exists', `validation ${validation.id} exists already`);
    this.#validations.set(validation.id, structuredClone(validation));
  }

  async find(id: string): Promise<Validation | undefined> {
    return structuredClone(this.#validations.get(id));
  }

  async findByVersion(scorer_version_id: string): Promise<Validation | undefined> {
    return structuredClone([...this.#validations.values()].find((one) => one.scorer_version_id === scorer_version_id));
  }

  async finish(id: string, evidence: Evidence): Promise<void> {
    this.#change(id, { evidence: structuredClone(evidence) });
  }

  async link(id: string, scorer_version_id: string): Promise<void> {
    this.#change(id, { scorer_version_id });
  }

  async listWithRunBefore(created_at: string, limit: number): Promise<Validation[]> {
    const old = [...this.#validations.values()].filter((one) => one.run_id !== null && one.created_at < created_at);
    return structuredClone(old.sort((a, b) => compareText(a.created_at, b.created_at)).slice(0, limit));
  }

  async forgetRun(id: string): Promise<void> {
    this.#change(id, { project_id: null, run_id: null });
  }

  async removeUnusedBefore(created_at: string): Promise<void> {
    const unused = [...this.#validations.values()].filter((one) => one.run_id === null && one.scorer_version_id === null);
    for (const one of unused) if (one.created_at < created_at) this.#validations.delete(one.id);
  }

  #change(id: string, changes: Partial<Validation>): void {
    const before = this.#validations.get(id);
    if (before) this.#validations.set(id, { ...before, ...changes });
  }
}
