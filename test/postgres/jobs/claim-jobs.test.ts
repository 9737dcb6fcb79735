import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimJobs } from '../../../adapters/postgres/jobs/job-statements.ts';
import { PgBossQueues } from '../../../adapters/postgres/jobs/pg-boss-queues.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import { copyMigratedDatabase, type TestDatabase } from '../../setup/database.ts';
import { queryAt } from '../../setup/query-at.ts';
import { silent } from '../../setup/silent.ts';

let database: TestDatabase;
let queues: PgBossQueues;
let boss: PgBoss;
beforeAll(async () => {
  database = await copyMigratedDatabase();
  queues = new PgBossQueues({ url: database.url, concurrency: 1, takesJobs: false, log: silent });
  await queues.start();
  boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false, migrate: false });
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await queues.stop(1_000);
  await database.drop();
});

it('one statement takes of each project as many jobs as are wanted of it, those that wait longest, and none twice', async () => {
  const [first, second, third] = Array.from({ length: 3 }, () => randomUUID());
  const put = async (project_id: string, minutesAgo: number): Promise<string> => {
    const run_id = randomUUID();
    await queues.scoring.put({ project_id, run_id, trace_ids: [randomUUID()] });
    await queryAt(
      database.url,
      `update pgboss.job set start_after = start_after - interval '${minutesAgo} minutes' where data ->> 'run_id' = '${run_id}'`,
    );
    return run_id;
  };
  const ofFirst = [await put(first!, 1), await put(first!, 3), await put(first!, 2)];
  const ofSecond = [await put(second!, 1)];
  await put(third!, 9);
  const wanted = new Map([
    [first!, 2],
    [second!, 5],
  ]);
  const claim = async () => (await claimJobs<ScoringJob>(boss.getDb(), 'scoring', wanted)).map(({ data }) => data.run_id);
  expect((await claim()).toSorted()).toEqual([ofFirst[1], ofFirst[2], ...ofSecond].toSorted());
  const rest = await Promise.all([claim(), claim()]);
  expect(rest.flat()).toEqual([ofFirst[0]]);
});
