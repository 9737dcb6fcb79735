import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openOrm } from '../../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../../adapters/postgres/database/postgres-session.ts';
import { PostgresAlertStore } from '../../../adapters/postgres/trends/postgres-alert-store.ts';
import { createTestDatabase } from '../../setup/database.ts';

it('alerts that were stored with a webhook_url are told by the channel webhook, and the others by none', async () => {
  const database = await createTestDatabase();
  const orm = await openOrm({ url: database.url, poolSize: 2 });
  const session = new PostgresSession({ orm });
  await orm.migrator.up({ to: 'm0032-one-spending-ledger' });
  const project_id = randomUUID();
  const stored = async (webhook_url: string | null): Promise<string> => {
    const id = randomUUID();
    const settings = JSON.stringify({ name: 'costly', webhook_url, is_enabled: true });
    await session.sql(
      `insert into alerts (project_id, id, run_id, created_at, settings, progress) values ($1, $2, $2, now(), $3::jsonb, '{}')`,
      [project_id, id, settings],
    );
    return id;
  };
  const [told, silent] = [await stored('https://example.org/hook?token=t'), await stored(null)];
  await orm.migrator.up();
  const store = new PostgresAlertStore({ session });
  const settings = async (id: string) => (await store.find(project_id, id))?.settings;
  const rest = { name: 'costly', is_enabled: true };
  expect(await settings(told)).toEqual({
    ...rest,
    channel: 'webhook',
    channel_settings: { url: 'https://example.org/hook?token=t' },
  });
  expect(await settings(silent)).toEqual({ ...rest, channel: null, channel_settings: {} });
  await orm.close();
  await database.drop();
});
