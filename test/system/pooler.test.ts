import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { SESSION_SETTINGS } from '../../adapters/postgres/database/orm.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';
import { PATIENCE_MS } from '../setup/timing.ts';
import { startTransactionPooler, type TransactionPooler } from '../setup/transaction-pooler.ts';
import { moreAcknowledged, readBack, startLoad } from './ingest-load.ts';
import {
  type Environment,
  enableCodeScorer,
  endEverything,
  makeDataDir,
  makeLogStream,
  print,
  type Service,
  ServiceRun,
  search,
  startService,
  until,
} from './service.ts';

/** Server connections for all requests and jobs of two processes, which would take 20 by themselves. */
const SIZE = 4;

let folder: string;
let database: EmbeddedPostgres;
let pooler: TransactionPooler;
const poolers: TransactionPooler[] = [];

const openPooler = async (url = database.url): Promise<TransactionPooler> => {
  const opened = await startTransactionPooler(url, SIZE);
  poolers.push(opened);
  return opened;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-pooler-'));
  // As root, the server runs as another user, who has to get through.
  await chmod(folder, 0o711);
  database = await startEmbeddedPostgres({ dataDir: folder, log: silent, serverSettings: { fsync: 'off' } });
});

afterAll(async () => {
  await endEverything();
  await Promise.all(poolers.map((one) => one.close()));
  await database?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const environment = (more: Environment): Environment => ({
  DATABASE_URL: database.url,
  ADMIN_EMAIL: 'admin@example.org',
  ADMIN_PASSWORD: 'correct horse battery',
  ADMIN_API_KEY: 'key-of-the-pooler-test-1',
  ACCESS_TOKEN_SECRET: 'a secret of the tests that is long enough',
  SECRETS_KEY: 'a key of the tests that is long enough, too',
  ...more,
});

const refusal = async (poolerUrl: string): Promise<string> => {
  const run = new ServiceRun(await makeDataDir(), environment({ DATABASE_POOLER_URL: poolerUrl }));
  const { code, stdout, stderr } = await run.ended;
  expect(code).not.toBe(0);
  return stdout + stderr;
};

describe('a service with a pooler in transaction mode', () => {
  it('does not start while connections lack the settings of a session, and says how they are made', async () => {
    const output = await refusal((await openPooler()).url);
    expect(output).toContain('alter role "touchstone_service" set statement_timeout = \'30000\'');
  });

  it('does not start on another database than its own', async () => {
    const other = new URL(database.url);
    other.pathname = '/postgres';
    expect(await refusal((await openPooler(other.href)).url)).toContain('it leads to another database than DATABASE_URL');
  });

  it('stores, scores and finds all that it acknowledged, over few connections', async () => {
    for (const [name, value] of Object.entries(SESSION_SETTINGS))
      await queryAt(database.adminUrl, `alter role touchstone_service set ${name} = '${value}'`);
    pooler = await openPooler();
    const start = async (ROLE: string): Promise<Service> =>
      startService(await makeDataDir(), environment({ ROLE, DATABASE_POOLER_URL: pooler.url }));
    const api = await start('api');
    await start('worker');
    const place = await makeLogStream(api);
    const version = await enableCodeScorer(api, place, 'quarter', 'function scorer() { return 0.25; }');
    const load = startLoad(api, place, 16);
    await moreAcknowledged(load, 200);
    const { found, lost, torn, duplicates, acknowledged } = await readBack(api, place, await load.stop());
    expect({ lost, torn, duplicates }).toEqual({ lost: 0, torn: 0, duplicates: 0 });
    const scores = () =>
      queryAt<{ rows: number; records: number }>(
        database.url,
        'select count(*)::int as rows, count(distinct record_id)::int as records from scores where scorer_version_id = $1',
        [version],
      );
    const [scored] = await until('a score of every trace', PATIENCE_MS, scores, ([some]) => some!.records >= found);
    expect(scored).toEqual({ rows: found, records: found });
    expect((await search(api, place, 'traces')).length).toBeGreaterThan(0);
    const figures = pooler.figures();
    print(
      `pooler: ${acknowledged} traces acknowledged, ${figures.transactions} transactions of ${figures.most_clients} clients on ${SIZE} connections`,
    );
    expect(figures.most_clients).toBeGreaterThan(SIZE);
    expect(figures.most_servers_of_client).toBe(SIZE);
  });
});
