import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PgBossQueues } from '../../../adapters/postgres/jobs/pg-boss-queues.ts';
import { PostgresScoringBacklog } from '../../../adapters/postgres/scorers/postgres-scoring-backlog.ts';
import { scoringBacklogContract } from '../../contracts/scorers/scoring-backlog.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { silent } from '../../setup/silent.ts';

const QUEUES = ['scoring', 'scoring_given_up', 'model_scoring', 'model_scoring_given_up'];

scoringBacklogContract('PostgreSQL', async () => {
  const database = await openMigratedDatabase();
  const { session, url } = database;
  return {
    scoringBacklog: new PostgresScoringBacklog({ session, queueNames: QUEUES }),
    transactions: session,
    openQueues: async () => {
      const queues = new PgBossQueues({ url, concurrency: 2, log: silent });
      await queues.start();
      await session.sql('delete from pgboss.job');
      return { queues: [queues.scoring, queues.modelScoring], close: () => queues.stop(1_000) };
    },
    close: () => database.close(),
  };
});

const MANY = 20_000;

describe('removing jobs beside a long queue of other projects', () => {
  let database: MigratedDatabase;
  const [project_id, run_id] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    database = await openMigratedDatabase();
    const queues = new PgBossQueues({ url: database.url, concurrency: 1, takesJobs: false, log: silent });
    await queues.start();
    await queues.stop(1_000);
    const insert = `insert into pgboss.job (name, group_id, data)
      select 'scoring', project, jsonb_build_object('project_id', project, 'run_id', $2::text, 'trace_ids', '[]'::jsonb)
      from (select coalesce($1, gen_random_uuid()::text) as project from generate_series(1, $3::int)) owners`;
    await database.session.sql(insert, [project_id, run_id, 50]);
    await database.session.sql(insert, [null, run_id, MANY / 2]);
    await database.session.sql(insert, [randomUUID(), run_id, MANY / 2]);
    await database.session.sql('analyze pgboss.job_common');
  });
  afterAll(() => database.close());

  /** Rows and index entries of jobs that the work has read. */
  async function readBy(work: (backlog: PostgresScoringBacklog) => Promise<void>): Promise<number> {
    const { session } = database;
    const sql = `select pg_stat_get_xact_tuples_returned('pgboss.job_common'::regclass)
        + (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = 'pgboss.job_common'::regclass)
        as tuples`;
    const readSoFar = async () => Number((await session.sql<{ tuples: string }>(sql))[0]!.tuples);
    let tuples = 0;
    const undone = new Error('so that the next one finds the same');
    const run = session.run(async () => {
      const before = await readSoFar();
      await work(new PostgresScoringBacklog({ session, queueNames: QUEUES }));
      tuples = (await readSoFar()) - before;
      const [left] = await session.sql<{ count: number }>('select count(*)::int as count from pgboss.job where group_id = $1', [
        project_id,
      ]);
      expect(left!.count).toBe(0);
      throw undone;
    });
    await expect(run).rejects.toBe(undone);
    return tuples;
  }

  it('reads no more than the jobs that it removes', async () => {
    expect(await readBy((backlog) => backlog.removeOfProject(project_id))).toBeLessThan(1_000);
    expect(await readBy((backlog) => backlog.removeOfRuns([{ project_id, run_id }]))).toBeLessThan(1_000);
    const withOthers = [{ project_id, run_id }, ...Array.from({ length: 100 }, () => ({ project_id: randomUUID(), run_id }))];
    expect(await readBy((backlog) => backlog.removeOfRuns(withOthers))).toBeLessThan(1_000);
  });
});
