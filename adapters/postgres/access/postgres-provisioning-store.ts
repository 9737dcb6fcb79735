import type { ProvisionedResource, ProvisioningStore } from '../../../core/access/provisioning/provisioning-store.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { ProvisionedResourceTable } from './provisioning-tables.ts';

type Kind = ProvisionedResource['kind'];

export class PostgresProvisioningStore implements ProvisioningStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async put(resource: ProvisionedResource): Promise<void> {
    await refusingDuplicates('user_exists', 'another user has this user name', () =>
      this.#session.em.upsert(ProvisionedResourceTable, resource),
    );
  }

  async findMany(kind: Kind, ids: readonly string[]): Promise<ProvisionedResource[]> {
    const rows = await this.#session.em.find(ProvisionedResourceTable, { kind, id: { $in: [...ids] } }, FRESH);
    return rows.map((row) => plain<ProvisionedResource>(row));
  }

  async findByUserName(user_name_key: string): Promise<ProvisionedResource | undefined> {
    const row = await this.#session.em.findOne(ProvisionedResourceTable, { user_name_key }, FRESH);
    return row ? plain<ProvisionedResource>(row) : undefined;
  }

  async listByExternalId(kind: Kind, external_id: string, limit: number): Promise<ProvisionedResource[]> {
    const options = { ...FRESH, limit, orderBy: { id: 'asc' } } as const;
    const rows = await this.#session.em.find(ProvisionedResourceTable, { kind, external_id }, options);
    return rows.map((row) => plain<ProvisionedResource>(row));
  }

  async remove(kind: Kind, id: string): Promise<void> {
    await this.#session.em.nativeDelete(ProvisionedResourceTable, { kind, id });
  }
}
