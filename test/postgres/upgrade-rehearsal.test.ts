import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBackup } from '../../adapters/postgres/backup/write-backup.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import { describeRehearsal, rehearseUpgrade } from '../../cli/stored/rehearse-upgrade.ts';
import { readStoredConfig } from '../../config/env.ts';
import { createTestDatabase, type TestDatabase } from '../setup/database.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';

const LAST_BEFORE = 'm0029-unpriced-models';

describe('a rehearsal of an upgrade', () => {
  let database: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'touchstone-backups-'));
    database = await createTestDatabase();
    const orm = await openOrm({ url: database.url, poolSize: 2 });
    await orm.migrator.up({ to: LAST_BEFORE });
    await orm.close();
    const queues = new PgBossQueues({ url: database.url, concurrency: 1, takesJobs: false, log: silent });
    await queues.start();
    await queues.stop(0);
    await backUp('older');
    await queryAt(
      database.url,
      `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at)
       values (gen_random_uuid(), 'kept', 'gen_ai', false, '[]', now(), now())`,
    );
    await backUp('newer');
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const backUp = (name: string) => writeBackup({ url: database.url, folder: join(folder, name), version: '0.0.9', files: [] });
  const rehearse = (backup: string, signal = new AbortController().signal) =>
    rehearseUpgrade(readStoredConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'error' }), backup, signal);
  const leftOver = () => queryAt(database.url, `select datname from pg_database where datname like 'touchstone_rehearsal_%'`);

  it('takes the newest backup, migrates it, tells of locks and rows, and leaves nothing behind', async () => {
    const rehearsal = await rehearse(folder);
    expect(rehearsal).toMatchObject({ backup: join(folder, 'newer'), version: '0.0.9', faults: [] });
    expect(rehearsal.migrations.map(({ name }) => name)).toContain('m0030-calibrated-versions');
    expect(rehearsal.locks).toContainEqual({
      table: 'scorer_versions',
      mode: 'AccessExclusiveLock',
      blocks: 'reads and writes',
      migration: 'm0030-calibrated-versions',
      held_ms: expect.any(Number),
    });
    expect(rehearsal.tables).toContainEqual({ name: 'projects', before: 1, after: 1 });
    expect(describeRehearsal(rehearsal)).toContain('the upgrade would do');
    expect(await leftOver()).toEqual([]);
  });

  it('refuses a damaged backup, and ends when it is asked to', async () => {
    await backUp('damaged');
    await writeFile(join(folder, 'damaged/tables/projects.copy.gz'), 'x');
    await expect(rehearse(join(folder, 'damaged'))).rejects.toThrow('is damaged');
    const asked = new AbortController();
    const ended = expect(rehearse(join(folder, 'newer'), asked.signal)).rejects.toThrow('asked to end');
    await expect.poll(async () => (await leftOver()).length).toBe(1);
    asked.abort(new Error('asked to end'));
    await ended;
    expect(await leftOver()).toEqual([]);
  });
});
