import type { SealedSecrets, Secret } from '../../../core/integrations/secret-box.ts';
import type { RouteSettings, StoredRoute } from '../../../core/trends/routing/notification-route.ts';
import type { NotificationRouteStore } from '../../../core/trends/routing/notification-route-store.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

interface SecretsRow {
  readonly id: string;
  readonly key_id: string;
  readonly data_key: string;
  readonly secret_fields: readonly Secret[];
}

const ROUTE = 'project_id, id, settings';
const SECRETS = 'id, key_id, data_key, secret_fields';

export class PostgresNotificationRouteStore implements NotificationRouteStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert({ project_id, id, settings }: StoredRoute, secrets: SealedSecrets): Promise<void> {
    await this.#session.sql(
      `insert into notification_routes (project_id, id, created_at, settings, key_id, data_key, secret_fields)
       values ($1, $2, $3, $4::jsonb, $5, $6, $7::jsonb)`,
      [project_id, id, settings.created_at, json(settings), ...toColumns(secrets)],
    );
  }

  async find(project_id: string, id: string): Promise<StoredRoute | undefined> {
    const rows = await this.#session.sql(`select ${ROUTE} from notification_routes where project_id = $1 and id = $2`, [
      project_id,
      id,
    ]);
    return rows.map(toRoute)[0];
  }

  async list(project_id: string): Promise<StoredRoute[]> {
    const rows = await this.#session.sql(
      `select ${ROUTE} from notification_routes where project_id = $1 order by created_at, id`,
      [project_id],
    );
    return rows.map(toRoute);
  }

  async update(project_id: string, id: string, settings: RouteSettings): Promise<StoredRoute | undefined> {
    const rows = await this.#session.sql(
      `update notification_routes set settings = $3::jsonb where project_id = $1 and id = $2 returning ${ROUTE}`,
      [project_id, id, json(settings)],
    );
    return rows.map(toRoute)[0];
  }

  async remove(project_id: string, id: string): Promise<boolean> {
    const removed = await this.#session.sql('delete from notification_routes where project_id = $1 and id = $2 returning id', [
      project_id,
      id,
    ]);
    return removed.length > 0;
  }

  async findSecrets(project_id: string, id: string): Promise<SealedSecrets | undefined> {
    const rows = await this.#session.sql<SecretsRow>(
      `select ${SECRETS} from notification_routes where project_id = $1 and id = $2`,
      [project_id, id],
    );
    return rows.map(getSecrets)[0]?.secrets;
  }

  changeSecrets(project_id: string, id: string, change: (read: SealedSecrets) => SealedSecrets): Promise<void> {
    return this.#session.run(async () => {
      const [row] = await this.#session.sql<SecretsRow>(
        `select ${SECRETS} from notification_routes where project_id = $1 and id = $2 for update`,
        [project_id, id],
      );
      if (!row) return;
      await this.#session.sql(
        'update notification_routes set key_id = $3, data_key = $4, secret_fields = $5::jsonb where project_id = $1 and id = $2',
        [project_id, id, ...toColumns(change(getSecrets(row).secrets))],
      );
    });
  }

  async keyIds(): Promise<string[]> {
    const rows = await this.#session.sql<{ key_id: string }>('select distinct key_id from notification_routes');
    return rows.map(({ key_id }) => key_id);
  }

  async listOfOtherKeys(key_id: string, limit: number): Promise<{ id: string; secrets: SealedSecrets }[]> {
    const rows = await this.#session.sql<SecretsRow>(`select ${SECRETS} from notification_routes where key_id <> $1 limit $2`, [
      key_id,
      limit,
    ]);
    return rows.map(getSecrets);
  }

  async replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void> {
    await this.#session.sql(
      'update notification_routes set key_id = $3, data_key = $4, secret_fields = $5::jsonb where id = $1 and data_key = $2',
      [id, read.key, ...toColumns(secrets)],
    );
  }
}

const json = (value: unknown): string => JSON.stringify(encodeJson(value));

const toColumns = ({ key_id, key, fields }: SealedSecrets): string[] => [key_id, key, JSON.stringify(fields)];

const getSecrets = ({ id, key_id, data_key, secret_fields }: SecretsRow) => ({
  id,
  secrets: { key_id, key: data_key, fields: secret_fields },
});

const toRoute = (row: unknown): StoredRoute => decodeJson(row) as StoredRoute;
