import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { PgBossQueues } from '../../../adapters/postgres/jobs/pg-boss-queues.ts';
import { scoringQueueContract } from '../../contracts/scorers/scoring-queue.contract.ts';
import { createTestDatabase, type TestDatabase } from '../../setup/database.ts';
import { silent } from '../../setup/silent.ts';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

scoringQueueContract('PostgreSQL', async () => {
  const queues = new PgBossQueues({ url: database.url, concurrency: 2, log: silent });
  await queues.start();
  const port = queues.scoring;
  await client.query('delete from pgboss.job');
  const executeSql = async (text: string, values?: unknown[]) => client.query<Record<string, unknown>>(text, values);
  return { port, enqueue: (jobs) => port.enqueueWithin({ executeSql }, jobs), close: () => port.stop(1_000) };
});
