import type { SealedSecrets, Secret } from '../../../core/integrations/secret-box.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import {
  type AlertProgress,
  type AlertSettings,
  type AlertTransition,
  completeAlert,
  type StoredAlert,
} from '../../../core/trends/alert.ts';
import { type AlertStore, KEPT_HISTORY } from '../../../core/trends/alert-store.ts';
import { completeDelivery, type WebhookDelivery } from '../../../core/trends/webhook.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

interface SecretsRow {
  readonly id: string;
  readonly key_id: string;
  readonly data_key: string;
  readonly secret_fields: readonly Secret[];
}

const ALERT = 'project_id, run_id, id, settings, progress';
const TABLES = ['alert_transitions', 'webhook_deliveries'] as const;

export class PostgresAlertStore implements AlertStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  insert({ project_id, run_id, id, settings, progress }: StoredAlert, secrets: SealedSecrets): Promise<void> {
    return this.#session.run(async () => {
      await this.#session.sql(
        'insert into alerts (project_id, run_id, id, created_at, settings, progress) values ($1, $2, $3, $4, $5::jsonb, $6::jsonb)',
        [project_id, run_id, id, settings.created_at, json(settings), json(progress)],
      );
      await this.#session.sql(
        `insert into webhook_secrets (project_id, run_id, id, key_id, data_key, secret_fields) values ($1, $2, $3, $4, $5, $6::jsonb)`,
        [project_id, run_id, id, ...toColumns(secrets)],
      );
    });
  }

  async find(project_id: string, id: string): Promise<StoredAlert | undefined> {
    const rows = await this.#session.sql<StoredAlert>(`select ${ALERT} from alerts where project_id = $1 and id = $2`, [
      project_id,
      id,
    ]);
    return rows.map(toAlert)[0];
  }

  async list(project_id: string, run_id: string): Promise<StoredAlert[]> {
    const rows = await this.#session.sql<StoredAlert>(
      `select ${ALERT} from alerts where project_id = $1 and run_id = $2 order by created_at, id`,
      [project_id, run_id],
    );
    return rows.map(toAlert);
  }

  async update(
    project_id: string,
    id: string,
    settings: AlertSettings,
    progress?: AlertProgress,
  ): Promise<StoredAlert | undefined> {
    const rows = await this.#session.sql<StoredAlert>(
      `update alerts set settings = $3::jsonb, progress = coalesce($4::jsonb, progress) where project_id = $1 and id = $2
       returning ${ALERT}`,
      [project_id, id, json(settings), progress ? json(progress) : null],
    );
    return rows.map(toAlert)[0];
  }

  remove(project_id: string, id: string): Promise<boolean> {
    return this.#session.run(async () => {
      for (const table of TABLES)
        await this.#session.sql(`delete from ${table} where project_id = $1 and alert_id = $2`, [project_id, id]);
      await this.#session.sql('delete from webhook_secrets where project_id = $1 and id = $2', [project_id, id]);
      const removed = await this.#session.sql('delete from alerts where project_id = $1 and id = $2 returning id', [
        project_id,
        id,
      ]);
      return removed.length > 0;
    });
  }

  async advance({ project_id, id, settings, progress: before }: StoredAlert, progress: AlertProgress): Promise<boolean> {
    const advanced = await this.#session.sql(
      `update alerts set progress = $5::jsonb where project_id = $1 and id = $2
         and progress ->> 'evaluated_until' is not distinct from $3::text and settings ->> 'updated_at' = $4 returning id`,
      [project_id, id, before.evaluated_until, settings.updated_at, json(progress)],
    );
    return advanced.length > 0;
  }

  async findSecrets(project_id: string, id: string): Promise<SealedSecrets | undefined> {
    const rows = await this.#session.sql<SecretsRow>(
      'select id, key_id, data_key, secret_fields from webhook_secrets where project_id = $1 and id = $2',
      [project_id, id],
    );
    return rows.map(getSecrets)[0]?.secrets;
  }

  changeSecrets(project_id: string, id: string, change: (read: SealedSecrets) => SealedSecrets): Promise<void> {
    return this.#session.run(async () => {
      const [row] = await this.#session.sql<SecretsRow>(
        'select id, key_id, data_key, secret_fields from webhook_secrets where project_id = $1 and id = $2 for update',
        [project_id, id],
      );
      if (!row) return;
      await this.#session.sql(
        'update webhook_secrets set key_id = $3, data_key = $4, secret_fields = $5::jsonb where project_id = $1 and id = $2',
        [project_id, id, ...toColumns(change(getSecrets(row).secrets))],
      );
    });
  }

  async insertTransition({ project_id, run_id }: StoredAlert, transition: AlertTransition): Promise<void> {
    await this.#session.sql(
      'insert into alert_transitions (project_id, run_id, alert_id, id, at, transition) values ($1, $2, $3, $4, $5, $6::jsonb)',
      [project_id, run_id, transition.alert_id, transition.id, transition.at, json(transition)],
    );
    await this.#forget('alert_transitions', project_id, transition.alert_id);
  }

  async listTransitions(project_id: string, alert_id: string, { offset, limit }: Slice): Promise<AlertTransition[]> {
    const rows = await this.#session.sql<{ transition: AlertTransition }>(
      `select transition from alert_transitions where project_id = $1 and alert_id = $2 order by at desc, id desc limit $3 offset $4`,
      [project_id, alert_id, limit, offset],
    );
    return rows.map(({ transition }) => transition);
  }

  async insertDelivery({ project_id, run_id }: StoredAlert, delivery: WebhookDelivery): Promise<void> {
    await this.#session.sql(
      'insert into webhook_deliveries (project_id, run_id, alert_id, id, at, delivery) values ($1, $2, $3, $4, $5, $6::jsonb)',
      [project_id, run_id, delivery.alert_id, delivery.id, delivery.created_at, json(delivery)],
    );
    await this.#forget('webhook_deliveries', project_id, delivery.alert_id);
  }

  async findDelivery(project_id: string, id: string): Promise<WebhookDelivery | undefined> {
    const [row] = await this.#session.sql<{ delivery: WebhookDelivery }>(
      'select delivery from webhook_deliveries where project_id = $1 and id = $2',
      [project_id, id],
    );
    return row && completeDelivery(decodeJson(row.delivery) as WebhookDelivery);
  }

  async updateDelivery(project_id: string, delivery: WebhookDelivery): Promise<void> {
    await this.#session.sql('update webhook_deliveries set delivery = $3::jsonb where project_id = $1 and id = $2', [
      project_id,
      delivery.id,
      json(delivery),
    ]);
  }

  async listDeliveries(project_id: string, alert_id: string, { offset, limit }: Slice): Promise<WebhookDelivery[]> {
    const rows = await this.#session.sql<{ delivery: WebhookDelivery }>(
      `select delivery from webhook_deliveries where project_id = $1 and alert_id = $2 order by at desc, id desc limit $3 offset $4`,
      [project_id, alert_id, limit, offset],
    );
    return rows.map(({ delivery }) => completeDelivery(decodeJson(delivery) as WebhookDelivery));
  }

  async keyIds(): Promise<string[]> {
    const rows = await this.#session.sql<{ key_id: string }>('select distinct key_id from webhook_secrets');
    return rows.map(({ key_id }) => key_id);
  }

  async listOfOtherKeys(key_id: string, limit: number): Promise<{ id: string; secrets: SealedSecrets }[]> {
    const rows = await this.#session.sql<SecretsRow>(
      'select id, key_id, data_key, secret_fields from webhook_secrets where key_id <> $1 limit $2',
      [key_id, limit],
    );
    return rows.map(getSecrets);
  }

  async replaceSecrets(id: string, read: SealedSecrets, secrets: SealedSecrets): Promise<void> {
    await this.#session.sql(
      'update webhook_secrets set key_id = $3, data_key = $4, secret_fields = $5::jsonb where id = $1 and data_key = $2',
      [id, read.key, ...toColumns(secrets)],
    );
  }

  /** Deletes the rows behind the newest ones. */
  async #forget(table: (typeof TABLES)[number], project_id: string, alert_id: string): Promise<void> {
    await this.#session.sql(
      `delete from ${table} where project_id = $1 and alert_id = $2 and (at, id) <= (
         select at, id from ${table} where project_id = $1 and alert_id = $2 order by at desc, id desc offset $3 limit 1
       )`,
      [project_id, alert_id, KEPT_HISTORY],
    );
  }
}

const json = (value: unknown): string => JSON.stringify(encodeJson(value));

const toColumns = ({ key_id, key, fields }: SealedSecrets): string[] => [key_id, key, JSON.stringify(fields)];

const getSecrets = ({ id, key_id, data_key, secret_fields }: SecretsRow) => ({
  id,
  secrets: { key_id, key: data_key, fields: secret_fields },
});

const toAlert = (row: StoredAlert): StoredAlert => completeAlert(decodeJson(row) as StoredAlert);
