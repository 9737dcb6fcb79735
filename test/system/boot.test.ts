import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { connect as openSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { openOrm } from '../../adapters/postgres/database/orm.ts';
import { allowDatabases } from '../setup/allow-databases.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';
import { expectWithin, PATIENCE_MS } from '../setup/timing.ts';
import {
  databasePid,
  type Environment,
  enableCodeScorer,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  type NewTrace,
  newTrace,
  type Place,
  type Service,
  ServiceRun,
  search,
  startService,
  until,
} from './service.ts';

/** A server that the services of a test share by DATABASE_URL. */
let server: EmbeddedPostgres;

beforeAll(async () => {
  const dataDir = await makeDataDir();
  server = await startEmbeddedPostgres({ dataDir, log: silent, serverSettings: { fsync: 'off', max_connections: '200' } });
  await allowDatabases(server);
});
afterAll(async () => {
  await server?.stop();
  await endEverything();
});

async function emptyDatabase(): Promise<string> {
  const url = new URL(server.url);
  url.pathname = `/boot_${randomBytes(6).toString('hex')}`;
  await queryAt(server.url, `create database ${url.pathname.slice(1)}`);
  return url.href;
}

/** Settings under which nothing but the thing tested can go wrong. */
const shared = (DATABASE_URL: string): Environment => ({
  DATABASE_URL,
  // The server of these tests gives durability away, and would be warned of.
  LOG_LEVEL: 'error',
  ADMIN_API_KEY: 'tsk_key_for_all_instances',
  ACCESS_TOKEN_SECRET: 'a secret of at least thirty-two characters',
});

describe('first and second start', () => {
  let dataDir: string;
  let service: Service;

  beforeAll(async () => {
    dataDir = await makeDataDir();
    service = await startService(dataDir);
  });
  afterAll(endEverythingHere);

  it('prints the administrator once, and last the address', async () => {
    const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
    const lines = service.run.stdout.trimEnd().split('\n');
    expect(lines).toStrictEqual([
      `first start: made the administrator ${credentials.admin_email}`,
      `  password: ${credentials.admin_password}`,
      `  API key:  ${credentials.admin_api_key}`,
      `  (kept in ${join(dataDir, 'credentials.json')})`,
      `listening on ${service.url}`,
    ]);
    expect(service.run.stderr).toBe('');
    expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing in its data folder that another user of the machine could read, write or lock', async () => {
    const { dataDir } = service.run;
    const names = await readdir(dataDir);
    const modes = await Promise.all(names.map(async (name) => [name, (await lstat(join(dataDir, name))).mode & 0o077]));
    expect(names).toEqual(expect.arrayContaining(['credentials.json', 'postgres', 'postgres.lock', 'postgres.lock.pid']));
    expect(modes.filter(([, toOthers]) => toOthers !== 0)).toEqual([]);
  });

  it('serves what operators and readers ask for', async () => {
    expect(await service.ask('GET', '/healthz')).toStrictEqual({ status: 'alive' });
    expect(await service.ask('GET', '/readyz')).toStrictEqual({ status: 'ready' });
    expect(await service.ask('GET', '/v2/healthcheck')).toMatchObject({ api_version: 'v2', message: 'ok' });
    const { openapi, paths } = await service.ask<{ openapi: string; paths: object }>('GET', '/v2/openapi.json');
    expect(openapi).toMatch(/^3\.1/);
    expect(Object.keys(paths)).toContain('/v2/projects/{project_id}/traces');
    expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
    expect((await service.call('GET', '/metrics')).text).toContain('touchstone_scoring_jobs');
  });

  it('serves a reference page that needs nothing from outside', async () => {
    const page = await fetch(`${service.url}/docs`);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).not.toMatch(/(https?:)?\/\/[\w-]+\.\w/);
    const assets = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => String(path));
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await fetch(new URL(path, page.url))).status, path).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('keeps a trace over a restart, prints only the address then, and knows the same key', async () => {
    const place = await makeLogStream(service);
    const trace = newTrace();
    expect((await logTraces(service, place, [trace])).status).toBe(200);
    const path = `/v2/projects/${place.project_id}/traces/${trace.id}`;
    const before = await service.ask<{ spans: unknown[] }>('GET', path);
    expect(before).toMatchObject({ id: trace.id, input: 'what is it?', spans: [{ name: 'lookup' }] });

    expect((await service.stop()).code).toBe(0);
    expect(databasePid(dataDir)).toBeUndefined();
    const { key } = service;
    service = await startService(dataDir);
    expect(service.run.stdout).toBe(`listening on ${service.url}\n`);
    expect(service.key).toBe(key);
    expect(await service.ask('GET', path)).toStrictEqual(before);
  });

  async function endEverythingHere(): Promise<void> {
    await service?.stop();
  }
});

describe('the end', () => {
  let service: Service;

  afterEach(() => service?.kill());

  /** A request whose body is not complete yet. */
  async function halfSent(body: string, path: string): Promise<{ finish(): void; answer: Promise<string> }> {
    const { port } = new URL(service.url);
    const socket = openSocket(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const head = `POST ${path} HTTP/1.1\r\nHost: test\r\nService-API-Key: ${service.key}\r\nContent-Type: application/json\r\n`;
    const half = Math.floor(body.length / 2);
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, half)}`);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const answer = new Promise<string>((settle) => {
      socket.once('close', () => settle(text));
      socket.once('error', () => settle(text));
    });
    return { finish: () => socket.write(body.slice(half)), answer };
  }

  /** A request that the service responds, once it is `sent`: from then on it is with the service, or waits to be taken. */
  function posting({ project_id, log_stream_id }: Place, trace: NewTrace): { sent: Promise<void>; status: Promise<number> } {
    const headers = { 'service-api-key': service.key, 'content-type': 'application/json' };
    const one = request(`${service.url}/v2/projects/${project_id}/traces`, { method: 'POST', headers });
    const status = new Promise<number>((settle, reject) => {
      one.once('response', (res) => {
        res.resume();
        settle(res.statusCode ?? 0);
      });
      one.once('error', reject);
    });
    const sent = new Promise<void>((settle) => one.end(JSON.stringify({ log_stream_id, traces: [trace] }), settle));
    return { sent, status };
  }

  const untilNoneIsTaken = () =>
    until(
      'refusal of new connections',
      PATIENCE_MS,
      () => fetch(service.url).catch(() => 'refused'),
      (it) => it === 'refused',
    );

  it('returns what is under way, refuses new connections, and is orderly', async () => {
    service = await startService(await makeDataDir(), shared(await emptyDatabase()));
    const place = await makeLogStream(service);
    const trace = newTrace();
    const body = JSON.stringify({ log_stream_id: place.log_stream_id, traces: [trace] });
    const half = await halfSent(body, `/v2/projects/${place.project_id}/traces`);
    const posted = Array.from({ length: 32 }, () => posting(place, newTrace()));
    await Promise.all(posted.map(({ sent }) => sent));

    const started = Date.now();
    const ended = service.stop();
    await untilNoneIsTaken();
    half.finish();
    const answer = await half.answer;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain(trace.id);
    for (const { status } of posted) expect(await status).toBe(200);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expectWithin(5_000, Date.now() - started);
  });

  it('waits for a request that does not end no longer than its limit', async () => {
    service = await startService(await makeDataDir(), shared(await emptyDatabase()));
    await halfSent('{"name":"never sent in full"}', '/v2/projects');
    const started = Date.now();
    expect((await service.stop()).code).toBe(0);
    expectWithin(10_000, Date.now() - started);
  });

  it('is forced by a second signal, and the next start finds the database well', async () => {
    const dataDir = await makeDataDir();
    service = await startService(dataDir);
    await halfSent('{"name":"never sent in full"}', '/v2/projects');
    service.run.signal('SIGTERM');
    // Signals that come at once are one.
    await untilNoneIsTaken();
    expect(service.run.hasEnded).toBe(false);
    const forced = Date.now();
    expect((await service.stop()).code).toBe(1);
    expectWithin(1_000, Date.now() - forced);
    service = await startService(dataDir);
    await service.ask('GET', '/readyz');
    expect((await service.stop()).code).toBe(0);
    expect(databasePid(dataDir)).toBeUndefined();
  });

  it('leaves no database behind when it is asked to end while it starts', async () => {
    const dataDir = await makeDataDir();
    const run = new ServiceRun(dataDir);
    await until(
      'start of the database',
      PATIENCE_MS,
      async () => databasePid(dataDir),
      (pid) => pid !== undefined,
    );
    const { code } = await run.stop();
    expect(code).toBe(0);
    expect(databasePid(dataDir)).toBeUndefined();
  });
});

describe('several processes on one database', () => {
  const runs: Service[] = [];

  afterEach(async () => {
    await Promise.all(runs.splice(0).map((service) => service.stop()));
  });

  it('takes traces in one role and scores them in the other', async () => {
    const env = shared(await emptyDatabase());
    const api = await startService(await makeDataDir(), { ...env, ROLE: 'api' });
    runs.push(api);
    const place = await makeLogStream(api);
    await enableCodeScorer(api, place, `half ${randomUUID()}`, 'function scorer(record) { return 0.5; }');
    const traces = Array.from({ length: 5 }, () => newTrace());
    expect((await logTraces(api, place, traces)).status).toBe(200);
    const states = async () => (await search(api, place, 'traces')).flatMap(({ metric_info }) => Object.values(metric_info));
    await sleep(1_500);
    expect(new Set((await states()).map(({ status_type }) => status_type))).not.toContain('success');

    const worker = await startService(await makeDataDir(), { ...env, ROLE: 'worker' });
    runs.push(worker);
    expect((await worker.call('GET', '/v2/projects')).status).toBe(404);
    expect((await worker.call<object>('GET', '/')).body).toMatchObject({ code: 'path_not_found' });
    expect((await worker.call('GET', '/readyz')).status).toBe(200);
    const done = await until('scoring', PATIENCE_MS, states, (all) => all.every(({ status_type }) => status_type === 'success'));
    expect(done.map(({ value }) => value)).toStrictEqual(traces.map(() => 0.5));
  });

  it('comes up four times at once on an empty database, which is set up once', async () => {
    const env = { ...shared(await emptyDatabase()) };
    const dirs = await Promise.all(Array.from({ length: 4 }, makeDataDir));
    runs.push(...(await Promise.all(dirs.map((dir) => startService(dir, env)))));
    expect(runs.filter(({ run }) => run.stdout.includes('first start'))).toHaveLength(1);
    for (const { run } of runs) expect(run.stderr).toBe('');
    const [counts] = await queryAt<object>(
      String(env.DATABASE_URL),
      'select (select count(*)::int from users) as users, (select count(*)::int from api_keys) as keys, (select count(distinct name)::int = count(*)::int from schema_migrations) as once',
    );
    expect(counts).toStrictEqual({ users: 1, keys: 1, once: true });
    for (const service of runs) {
      const place = await makeLogStream(service);
      expect((await logTraces(service, place, [newTrace()])).status).toBe(200);
    }
  });

  it('agrees on one secret when instances that share a data folder start at once', async () => {
    const dataDir = await makeDataDir();
    const env = { DATABASE_URL: await emptyDatabase() };
    runs.push(...(await Promise.all(Array.from({ length: 4 }, () => startService(dataDir, env)))));
    const key = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')).admin_api_key as string;
    const login = await fetch(`${runs[0]!.url}/v2/login/api_key`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: key }),
    });
    expect(login.status).toBe(200);
    const { access_token } = (await login.json()) as { access_token: string };
    for (const { url } of runs) {
      const headers = { authorization: `Bearer ${access_token}` };
      expect((await fetch(`${url}/v2/projects`, { headers })).status, url).toBe(200);
    }
  });

  it('would not come up so without the lock', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const url = await emptyDatabase();
      const orms = await Promise.all(Array.from({ length: 4 }, () => openOrm({ url, poolSize: 2 })));
      const results = await Promise.allSettled(orms.map((orm) => orm.migrator.up()));
      await Promise.all(orms.map((orm) => orm.close(true)));
      if (results.some(({ status }) => status === 'rejected')) return;
    }
    expect.fail('four migrations at once never met');
  });
});
