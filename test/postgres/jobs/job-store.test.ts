import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresJobStore } from '../../../adapters/postgres/jobs/postgres-job-store.ts';
import type { JobMessage } from '../../../core/jobs/job-store.ts';
import { Jobs } from '../../../core/jobs/jobs.ts';
import { jobStoreContract, type OpenedJobs } from '../../contracts/jobs/job-store.contract.ts';
import { openPostgresStores, type PostgresStores } from '../../setup/postgres-stores.ts';

let stores: PostgresStores;
beforeAll(async () => {
  stores = await openPostgresStores();
});
afterAll(() => stores.close());

async function open(): Promise<OpenedJobs> {
  const { database, queues } = stores;
  const { session } = database;
  return {
    port: new PostgresJobStore({ session, enqueueWithin: queues.jobs.enqueueWithin }),
    transactions: session,
    messages: async () => {
      const rows = await session.sql<{ data: JobMessage }>(`select data from pgboss.job where name = 'jobs'`);
      return rows.map(({ data }) => data);
    },
    close: async () => {},
  };
}

jobStoreContract('PostgreSQL', open);

it('leaves neither a job nor its message behind when the transaction around it is undone', async () => {
  const { port, transactions, messages } = await open();
  const jobs = new Jobs({ jobStore: port, clock: () => new Date(), newId: randomUUID });
  const before = await messages();
  const started: string[] = [];
  const undone = transactions.run(async () => {
    const asked = { job_name: 'a_job', project_id: null, run_id: null, created_by: randomUUID(), request_data: {} };
    started.push((await jobs.start(asked)).id);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await port.find(started[0]!)).toBeUndefined();
  expect(await messages()).toHaveLength(before.length);
});
