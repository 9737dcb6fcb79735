import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';
import { expectWithin, PATIENCE_MS } from '../setup/timing.ts';
import { moreAcknowledged, readBack, startLoad } from './ingest-load.ts';
import {
  enableCodeScorer,
  endEverything,
  makeDataDir,
  makeLogStream,
  print,
  type Reply,
  type Service,
  startService,
  until,
} from './service.ts';

/** `npm run prove -- instances` kills more often. */
const KILLS = Number(process.env.INSTANCE_KILLS ?? 4);
/** How long another instance may believe what an instance has changed. */
const BELIEVED_MS = 1_500;
const ROLES = ['api', 'worker', 'api', 'worker'] as const;
const KEY = 'key-of-the-instances-test-1';

let folder: string;
let database: EmbeddedPostgres;
/** Two that serve requests and two that do the work behind them, each with a data folder of its own. */
let instances: Service[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-instances-'));
  // As root, the server runs as another user, who has to get through.
  await chmod(folder, 0o711);
  database = await startEmbeddedPostgres({ dataDir: folder, log: silent });
  // At once, on an empty database.
  instances = await Promise.all(ROLES.map(async (_, at) => start(at, await makeDataDir())));
});

afterAll(async () => {
  await endEverything();
  await database?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const start = (at: number, dataDir: string): Promise<Service> =>
  startService(dataDir, {
    ROLE: ROLES[at]!,
    DATABASE_URL: database.url,
    ADMIN_EMAIL: 'admin@example.org',
    ADMIN_PASSWORD: 'correct horse battery',
    ADMIN_API_KEY: KEY,
    ACCESS_TOKEN_SECRET: 'a secret of the tests that is long enough',
    SECRETS_KEY: 'a key of the tests that is long enough, too',
  });

/** Sends each request to the next instance that serves requests, as a proxy does. */
function balanced(): Pick<Service, 'call'> {
  let turn = 0;
  return {
    call: (...request) => {
      turn += 1;
      return instances[turn % 2 === 0 ? 0 : 2]!.call(...request) as Promise<Reply<never>>;
    },
  };
}

async function killAndRestart(at: number): Promise<void> {
  const { run } = instances[at]!;
  await instances[at]!.kill();
  instances[at] = await start(at, run.dataDir);
}

describe('several instances on one database', () => {
  it('lose and double nothing when one after the other is killed under load', async () => {
    const place = await makeLogStream(instances[0]!);
    const version = await enableCodeScorer(instances[2]!, place, 'quarter', 'function scorer() { return 0.25; }');
    const load = startLoad(balanced(), place, 4);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await moreAcknowledged(load, 20);
      await killAndRestart(kill % instances.length);
    }
    await moreAcknowledged(load, 20);
    const kept = await readBack(instances[0]!, place, await load.stop());
    const scores = () =>
      queryAt<{ rows: number; records: number }>(
        database.url,
        'select count(*)::int as rows, count(distinct record_id)::int as records from scores where scorer_version_id = $1',
        [version],
      );
    const [scored] = await until('a score of every trace', PATIENCE_MS, scores, ([found]) => found!.records >= kept.found);
    const { acknowledged, found, lost, torn, duplicates } = kept;
    print(
      `instances: ${KILLS} kills, acknowledged ${acknowledged}, found ${found}, lost ${lost}, torn batches ${torn}, scores ${scored!.rows} of ${scored!.records} traces`,
    );
    expect({ lost, torn, duplicates }).toEqual({ lost: 0, torn: 0, duplicates: 0 });
    expect(scored).toEqual({ rows: found, records: found });
  });

  it('believe a key, and a role in a project, no longer than a moment after another instance took it away', async () => {
    const [first, , second] = instances as [Service, Service, Service];
    const { project_id } = await makeLogStream(first);
    const email = `someone-${Date.now()}@example.org`;
    const password = 'a long and secret sentence';
    const user = await first.ask<{ id: string }>('POST', '/v2/users', { email, password, role: 'user' });
    await first.ask('POST', `/v2/projects/${project_id}/users`, [{ user_id: user.id, role: 'viewer' }]);
    const basic = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`, 'Service-API-Key': '' };
    const read = (headers: Readonly<Record<string, string>>) =>
      second.call('GET', `/v2/projects/${project_id}`, undefined, headers);
    const made = await first.call<{ id: string; api_key: string }>(
      'POST',
      '/v2/users/api_keys',
      { description: 'of a test' },
      basic,
    );
    expect(made.status).toBe(200);
    const keyed = { 'Service-API-Key': made.body.api_key };
    expect((await read(keyed)).status).toBe(200);

    const roleTaken = performance.now();
    await first.ask('DELETE', `/v2/projects/${project_id}/users/${user.id}`);
    await until(
      'the loss of the role',
      PATIENCE_MS,
      async () => (await read(keyed)).status,
      (status) => status === 404,
    );
    const roleMs = performance.now() - roleTaken;

    const keyTaken = performance.now();
    expect((await first.call('DELETE', `/v2/users/api_keys/${made.body.id}`, undefined, basic)).status).toBe(200);
    await until(
      'the loss of the key',
      PATIENCE_MS,
      async () => (await read(keyed)).status,
      (status) => status === 401,
    );
    const keyMs = performance.now() - keyTaken;
    print(`instances: a role was believed for ${Math.round(roleMs)} ms by another instance, a key for ${Math.round(keyMs)} ms`);
    expectWithin(BELIEVED_MS, roleMs);
    expectWithin(BELIEVED_MS, keyMs);
  });
});
