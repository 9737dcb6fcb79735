import type { ProvisionedResource, ProvisioningStore } from '../../../core/access/provisioning/provisioning-store.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

type Kind = ProvisionedResource['kind'];

export class MemoryProvisioningStore implements ProvisioningStore {
  readonly #resources: Table<string, ProvisionedResource>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#resources = database.table();
  }

  async put(resource: ProvisionedResource): Promise<void> {
    const { kind, id, user_name_key } = resource;
    const holder = user_name_key === null ? undefined : await this.findByUserName(user_name_key);
    if (holder && holder.id !== id) throw new AppError('conflict', 'user_exists', 'another user has this user name');
    this.#resources.set(`${kind} ${id}`, { ...resource });
  }

  async findMany(kind: Kind, ids: readonly string[]): Promise<ProvisionedResource[]> {
    return ids.flatMap((id) => this.#resources.get(`${kind} ${id}`) ?? []).map((one) => ({ ...one }));
  }

  async findByUserName(user_name_key: string): Promise<ProvisionedResource | undefined> {
    return structuredClone([...this.#resources.values()].find((one) => one.user_name_key === user_name_key));
  }

  async listByExternalId(kind: Kind, external_id: string, limit: number): Promise<ProvisionedResource[]> {
    const found = [...this.#resources.values()].filter((one) => one.kind === kind && one.external_id === external_id);
    return structuredClone(found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit));
  }

  async remove(kind: Kind, id: string): Promise<void> {
    this.#resources.delete(`${kind} ${id}`);
  }
}
