import type { StoredIntegration } from '../../../core/integrations/integration.ts';
import type { IntegrationChanges, IntegrationStore } from '../../../core/integrations/integration-store.ts';
import type { SealedSecrets } from '../../../core/integrations/secret-box.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { IdFilter } from '../../../core/kernel/query/filter.ts';
import { matchesAll } from '../../../core/kernel/query/filter-matching.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Cell, Table } from '../table.ts';
import { oldestFirst } from '../traces/time-order.ts';

interface Selection {
  readonly user_id: string;
  readonly provider: string;
  readonly integration_id: string;
}

export class MemoryIntegrationStore implements IntegrationStore {
  readonly #integrations: Table<string, StoredIntegration>;
  readonly #selections: Cell<readonly Selection[]>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#integrations = database.table();
    this.#selections = database.cell([]);
  }

  async insert(integration: StoredIntegration): Promise<void> {
    const { id, name, created_by } = integration;
    const isTaken = [...this.#integrations.values()].some(
      (other) => other.id === id || (other.created_by === created_by && other.name === name),
    );
    if (isTaken) throw new AppError('conflict', 'integration_exists', `an integration of this id or name exists`);
    this.#integrations.set(id, structuredClone(integration));
  }

  async find(id: string): Promise<StoredIntegration | undefined> {
    return structuredClone(this.#integrations.get(id));
  }

  async findByName(created_by: string, name: string): Promise<StoredIntegration | undefined> {
    return structuredClone([...this.#integrations.values()].find((one) => one.created_by === created_by && one.name === name));
  }

  async list(filters: readonly IdFilter<'id'>[]): Promise<StoredIntegration[]> {
    const passing = [...this.#integrations.values()].filter(({ id }) => matchesAll(filters, () => id));
    return structuredClone(oldestFirst(passing));
  }

  async update(id: string, changes: IntegrationChanges): Promise<StoredIntegration | undefined> {
    const integration = this.#integrations.get(id);
    if (!integration) return undefined;
    this.#integrations.set(id, structuredClone({ ...integration, ...changes }));
    return this.find(id);
  }

  async remove(id: string): Promise<boolean> {
    this.#selections.value = this.#selections.value.filter(({ integration_id }) => integration_id !== id);
    return this.#integrations.delete(id);
  }

  async select(user_id: string, { id, provider }: Pick<StoredIntegration, 'id' | 'provider'>): Promise<void> {
    const others = this.#selections.value.filter((one) => one.user_id !== user_id || one.provider !== provider);
    this.#selections.value = [...others, { user_id, provider, integration_id: id }];
  }

  async selectedBy(user_id: string): Promise<ReadonlySet<string>> {
    return new Set(this.#selections.value.filter((one) => one.user_id === user_id).map(({ integration_id }) => integration_id));
  }

  async keyIds(): Promise<string[]> {
    return [...new Set([...this.#integrations.values()].map(({ secrets }) => secrets.key_id))];
  }

  async listOfOtherKeys(key_id: string, limit: number): Promise<Pick<StoredIntegration, 'id' | 'secrets'>[]> {
    const others = [...this.#integrations.values()].filter(({ secrets }) => secrets.key_id !== key_id).slice(0, limit);
    return structuredClone(others.map(({ id, secrets }) => ({ id, secrets })));
  }

  async replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void> {
    const integration = this.#integrations.get(id);
    if (!integration || integration.secrets.key !== read.key) return;
    this.#integrations.set(id, structuredClone({ ...integration, secrets }));
  }
}
