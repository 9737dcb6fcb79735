import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOrm } from '../../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../../adapters/postgres/database/postgres-session.ts';
import { PostgresRecordIndex } from '../../../adapters/postgres/record-index/postgres-record-index.ts';
import { RecordLister } from '../../../adapters/postgres/traces/record-listing.ts';
import { PostgresTrendStore } from '../../../adapters/postgres/trends/postgres-trend-store.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/database.ts';

const INSERT_RECORD = `
insert into records (project_id, id, run_id, trace_id, session_id, type, is_trace, name, created_at, position, updated_at, input,
  payload_kinds, is_complete, has_children, metrics)
values ($1, $3, $2, $3, $3, 'trace', true, 'n', '2026-01-02T04:10:00Z', 0, now(), 'an old record', 0, true, false, '{"cost": 3}')`;

/** Records that were indexed in the way of an earlier schema, or not yet. */
describe('a database with records from before the record index of now', () => {
  let database: TestDatabase;
  let orm: MikroORM;
  let session: PostgresSession;
  const [project_id, run_id, id] = [randomUUID(), randomUUID(), randomUUID()];

  beforeEach(async () => {
    database = await createTestDatabase();
    orm = await openOrm({ url: database.url, poolSize: 2 });
    session = new PostgresSession({ orm });
    await orm.migrator.up({ to: 'm0010-integrations' });
    await session.sql(
      `insert into runs (project_id, id, kind, name, has_user_created_sessions, metric_settings, settings_revision, created_at, updated_at)
       values ($1, $2, 'log_stream', 'old', false, '{"scorers":[],"segment_filters":[]}', 0, now(), now())`,
      [project_id, run_id],
    );
    await session.sql(INSERT_RECORD, [project_id, run_id, id]);
    await session.sql('insert into run_counts values ($1, $2, 1, 0)', [project_id, run_id]);
    await session.sql(
      `insert into hourly_numbers values ($1, $2, 'cost', 'trace', '2026-01-02T04:00:00Z', 1, 3, 3, 3, '{"p56": 1}')`,
      [project_id, run_id],
    );
    await orm.migrator.up();
  });
  afterEach(async () => {
    await orm.close();
    await database.drop();
  });

  it('is indexed anew, and counted as before', async () => {
    const index = new PostgresRecordIndex({ session });
    while ((await index.advance(100)) > 0);
    const words = { type: 'text', column_id: 'words', operator: 'contains', value: 'old record', case_sensitive: true } as const;
    const selection = { project_id, run_id, level: 'trace', where: { and: [{ filter: words }] } } as const;
    expect(await new RecordLister({ session }).count(selection)).toBe(1);
    const times = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
    const hours = await new PostgresTrendStore({ session }).hourly({ project_id, run_id, names: ['cost'], ...times }, false);
    expect(hours).toMatchObject([{ count: 1, sum: 3 }]);
    expect(await session.sql('select num_traces from run_counts')).toEqual([{ num_traces: '1' }]);
  });
});
