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

const JOIN = { lists: ['trace_ids', 'session_ids'], maxEntries: 10 };
const NO_JOIN = { lists: [], maxEntries: 1 };
type Changes = Partial<ScoringJob>;
const newJob = (changes: Changes = {}): ScoringJob => ({
  project_id: randomUUID(),
  run_id: randomUUID(),
  trace_ids: [randomUUID()],
  ...changes,
});
const putAll = (jobs: readonly ScoringJob[]) => Promise.all(jobs.map((job) => queues.scoring.put(job)));
/** The batches that one statement takes of a project, as the jobs that each holds. */
async function claimBatches(project_id: string, most: number): Promise<ScoringJob[][]> {
  const jobs = await claimJobs<ScoringJob>(boss.getDb(), 'scoring', new Map([[project_id, most]]), JOIN);
  return [...Map.groupBy(jobs, ({ batch }) => batch).values()].map((batch) => batch.map(({ data }) => data));
}
const runsOf = (batches: readonly ScoringJob[][]): string[] => batches.flat().map(({ run_id }) => run_id);

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
  const claim = async () =>
    (await claimJobs<ScoringJob>(boss.getDb(), 'scoring', wanted, NO_JOIN)).map(({ data }) => data.run_id);
  expect((await claim()).toSorted()).toEqual([ofFirst[1], ofFirst[2], ...ofSecond].toSorted());
  const rest = await Promise.all([claim(), claim()]);
  expect(rest.flat()).toEqual([ofFirst[0]]);
});

it('jobs that differ in their traces and sessions alone are one batch, others are not', async () => {
  const alike = newJob();
  const { project_id, run_id } = alike;
  const same = [alike, newJob({ project_id, run_id }), newJob({ project_id, run_id, session_ids: [randomUUID()] })];
  const other = [newJob({ project_id }), newJob({ project_id, run_id, scorer_ids: [randomUUID()] })];
  await putAll([...same, ...other]);
  const batches = await claimBatches(project_id, 5);
  expect(batches.map(({ length }) => length).toSorted()).toEqual([1, 1, 3]);
  expect(new Set(batches.find(({ length }) => length === 3))).toEqual(new Set(same));
});

it('a batch holds no more entries than it may, but a single job of any size', async () => {
  const { project_id, run_id } = newJob();
  const ids = (length: number) => Array.from({ length }, () => randomUUID());
  await putAll(Array.from({ length: 7 }, () => newJob({ project_id, run_id, trace_ids: ids(2), session_ids: ids(1) })));
  expect((await claimBatches(project_id, 1)).map(({ length }) => length)).toEqual([3]);
  expect((await claimBatches(project_id, 1)).map(({ length }) => length)).toEqual([3]);
  expect((await claimBatches(project_id, 1)).map(({ length }) => length)).toEqual([1]);
  await putAll([newJob({ project_id, run_id, trace_ids: ids(50) })]);
  expect((await claimBatches(project_id, 1)).map(({ length }) => length)).toEqual([1]);
});

it('a job that was begun before is claimed by itself', async () => {
  const { project_id, run_id } = newJob();
  await putAll([1, 2, 3].map(() => newJob({ project_id, run_id })));
  expect(await claimBatches(project_id, 3)).toHaveLength(1);
  await queryAt(database.url, `update pgboss.job set state = 'retry' where group_id = '${project_id}'`);
  await putAll([1, 2].map(() => newJob({ project_id, run_id })));
  expect((await claimBatches(project_id, 9)).map(({ length }) => length).toSorted()).toEqual([1, 1, 1, 2]);
});

it('of many jobs of one run and one job of another both are claimed when two batches are wanted', async () => {
  const { project_id, run_id } = newJob();
  await putAll(Array.from({ length: 8 }, () => newJob({ project_id, run_id })));
  const lone = newJob({ project_id });
  await putAll([lone]);
  expect(runsOf(await claimBatches(project_id, 2))).toContain(lone.run_id);
});
