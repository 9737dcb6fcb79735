import { afterAll, beforeAll, expect, it } from 'vitest';
import { PgBossQueues } from '../../../adapters/postgres/jobs/pg-boss-queues.ts';
import { copyMigratedDatabase, type TestDatabase } from '../../setup/database.ts';
import { queryAt } from '../../setup/query-at.ts';
import { silent } from '../../setup/silent.ts';

const INSTANCES = 6;
const ROUNDS = 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await copyMigratedDatabase();
});
afterAll(() => database.drop());

it('creates the indexes of queues once when several instances start at the same time', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await queryAt(database.url, 'drop index if exists pgboss.touchstone_backlog, pgboss.touchstone_ready');
    const instances = Array.from(
      { length: INSTANCES },
      () => new PgBossQueues({ url: database.url, concurrency: 1, log: silent }),
    );
    const started = await Promise.allSettled(instances.map((queues) => queues.start()));
    await Promise.all(instances.map((queues) => queues.stop(100)));
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([]);
  }
});
