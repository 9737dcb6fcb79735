import { sql } from 'kysely';
import type { StoredIntegration } from '../../../core/integrations/integration.ts';
import type { IntegrationChanges, IntegrationStore } from '../../../core/integrations/integration-store.ts';
import type { SealedSecrets, Secret } from '../../../core/integrations/secret-box.ts';
import type { IdFilter } from '../../../core/kernel/query/filter.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { toSqlCondition } from '../traces/filter-sql.ts';
import { IntegrationSelectionTable, IntegrationTable } from './integration-tables.ts';

const OLDEST_FIRST = { orderBy: { created_at: 'asc', id: 'asc' } } as const;

export class PostgresIntegrationStore implements IntegrationStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert({ settings, secrets, ...integration }: StoredIntegration): Promise<void> {
    const row = { ...integration, settings: encoded(settings), ...toColumns(secrets) };
    await refusingDuplicates('integration_exists', 'an integration of this id or name exists', () =>
      this.#session.em.insert(IntegrationTable, row),
    );
  }

  async find(id: string): Promise<StoredIntegration | undefined> {
    const row = await this.#session.em.findOne(IntegrationTable, { id }, FRESH);
    return row ? toIntegration(row) : undefined;
  }

  async findByName(created_by: string, name: string): Promise<StoredIntegration | undefined> {
    const row = await this.#session.em.findOne(IntegrationTable, { created_by, name }, FRESH);
    return row ? toIntegration(row) : undefined;
  }

  async list(filters: readonly IdFilter<'id'>[]): Promise<StoredIntegration[]> {
    const ids = await this.#session.db
      .selectFrom('integrations')
      .select('id')
      .where(toSqlCondition(filters, { id: sql`id` }))
      .execute();
    const where = { id: { $in: ids.map(({ id }) => id) } };
    return (await this.#session.em.find(IntegrationTable, where, { ...FRESH, ...OLDEST_FIRST })).map(toIntegration);
  }

  async update(id: string, { settings, secrets, ...changes }: IntegrationChanges): Promise<StoredIntegration | undefined> {
    const columns = { ...changes, ...(settings && { settings: encoded(settings) }), ...(secrets && toColumns(secrets)) };
    const found = await this.#session.em.nativeUpdate(IntegrationTable, { id }, columns);
    return found > 0 ? this.find(id) : undefined;
  }

  remove(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      await this.#session.em.nativeDelete(IntegrationSelectionTable, { integration_id: id });
      return (await this.#session.em.nativeDelete(IntegrationTable, { id })) > 0;
    });
  }

  async select(user_id: string, { id, provider }: Pick<StoredIntegration, 'id' | 'provider'>): Promise<void> {
    await this.#session.sql(
      `insert into integration_selections (user_id, provider, integration_id) values ($1, $2, $3)
       on conflict (user_id, provider) do update set integration_id = excluded.integration_id`,
      [user_id, provider, id],
    );
  }

  async selectedBy(user_id: string): Promise<ReadonlySet<string>> {
    const rows = await this.#session.em.find(IntegrationSelectionTable, { user_id }, FRESH);
    return new Set(rows.map(({ integration_id }) => integration_id));
  }

  async keyIds(): Promise<string[]> {
    const rows = await this.#session.sql<{ key_id: string }>('select distinct key_id from integrations');
    return rows.map(({ key_id }) => key_id);
  }

  async listOfOtherKeys(key_id: string, limit: number): Promise<Pick<StoredIntegration, 'id' | 'secrets'>[]> {
    const rows = await this.#session.em.find(IntegrationTable, { key_id: { $ne: key_id } }, { ...FRESH, limit });
    return rows.map(toIntegration).map(({ id, secrets }) => ({ id, secrets }));
  }

  async replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void> {
    await this.#session.em.nativeUpdate(IntegrationTable, { id, data_key: read.key }, toColumns(secrets));
  }
}

const encoded = (settings: StoredIntegration['settings']) => encodeJson(settings) as Record<string, unknown>;

const toColumns = ({ key_id, key, fields }: SealedSecrets) => ({ key_id, data_key: key, secret_fields: [...fields] });

function toIntegration(row: object): StoredIntegration {
  const { key_id, data_key, secret_fields, settings, ...integration } = plain<
    Omit<StoredIntegration, 'secrets'> & { key_id: string; data_key: string; secret_fields: Secret[] }
  >(row);
  const secrets = { key_id, key: data_key, fields: secret_fields };
  return { ...integration, settings: decodeJson(settings) as Record<string, unknown>, secrets };
}
