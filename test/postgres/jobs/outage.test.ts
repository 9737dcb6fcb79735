import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unavailable } from '../../../adapters/postgres/database/database-failure.ts';
import { PgBossQueues } from '../../../adapters/postgres/jobs/pg-boss-queues.ts';
import { copyMigratedDatabase, type TestDatabase } from '../../setup/database.ts';
import { queryAt } from '../../setup/query-at.ts';
import { silent } from '../../setup/silent.ts';
import { eventually } from '../../setup/timing.ts';

let database: TestDatabase;
let queues: PgBossQueues;
beforeEach(async () => {
  database = await copyMigratedDatabase();
  queues = new PgBossQueues({ url: database.url, concurrency: 1, log: silent });
  await queues.start();
});
afterEach(async () => {
  await queues.stop(1_000);
  await database.drop();
});

const newJob = () => ({ project_id: randomUUID(), run_id: randomUUID(), trace_ids: [randomUUID()] });

it('an outage of the database does not count as an attempt at a job, however often it is met', async () => {
  const outages = [
    unavailable(new Error('gone')),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('shutting down'), { code: '57P01' }),
    unavailable(new Error('gone')),
    new Error('Connection terminated unexpectedly'),
  ];
  const done: string[] = [];
  const givenUp: string[] = [];
  const job = newJob();
  await queues.scoring.put(job);
  await queues.scoring.work(
    async ({ run_id }) => {
      const outage = outages.shift();
      if (outage) throw outage;
      done.push(run_id);
    },
    async ({ run_id }) => void givenUp.push(run_id),
  );
  await eventually(() => expect(done).toEqual([job.run_id]));
  expect(givenUp).toEqual([]);
});

it('a job that has met outages for more than a day is tried as often as others, and given up', async () => {
  await queues.scoring.put(newJob());
  await queryAt(database.url, "update pgboss.job set created_on = created_on - interval '25 hours'");
  await queues.scoring.work(
    async () => {
      throw unavailable(new Error('gone'));
    },
    async () => {},
  );
  await eventually(async () => {
    const rows = await queryAt(database.url, "select from pgboss.job where state = 'retry'");
    expect(rows).toHaveLength(1);
  });
});
