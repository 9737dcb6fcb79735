import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { queryAt } from '../setup/query-at.ts';
import { silent } from '../setup/silent.ts';
import { expectWithin, PATIENCE_MS } from '../setup/timing.ts';
import { type Load, moreAcknowledged, readBack, startLoad, type Told } from './ingest-load.ts';
import {
  databasePid,
  enableCodeScorer,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Place,
  print,
  type Service,
  search,
  startService,
  until,
} from './service.ts';

const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? 5_000);
const BACK_MS = 5_000;
const ANSWER_MS = 3_000;
/** Those that it has whenever it works, at least. */
const CONNECTIONS = 3;
/** Without synchronous commit the last moments are in the server's memory alone. Nothing but a commit is to write them out. */
const FORGETFUL = {
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  wal_writer_flush_after: '1GB',
  wal_buffers: '64MB',
  bgwriter_lru_maxpages: '0',
};
const MUCH_BYTES = 256 * 1024;

let databaseDir: string;
let server: EmbeddedPostgres;
let service: Service;
let place: Place;

async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: databaseDir, log: silent, serverSettings: settings });
}

const samePort = () => ({ port: new URL(server.url).port });

beforeAll(async () => {
  databaseDir = await makeDataDir();
  server = await startServer();
  service = await startService(await makeDataDir(), { DATABASE_URL: server.url, LOG_LEVEL: 'error' });
  place = await makeLogStream(service);
});
afterEach(() => {
  if (service.run.hasEnded) print(`the service has ended: ${service.run.stderr}`);
});
afterAll(async () => {
  await endEverything();
  await server?.stop();
});

const OTHERS = 'pid <> pg_backend_pid() and datname = current_database()';

async function untilConnected(): Promise<void> {
  const count = async () => (await queryAt(server.url, `select pid from pg_stat_activity where ${OTHERS}`)).length;
  await until('connections of the service', PATIENCE_MS, count, (connections) => connections >= CONNECTIONS);
}

/** Of the log of writes. */
async function unwrittenBytes(): Promise<number> {
  const [row] = await queryAt<{ bytes: number }>(
    server.url,
    'select (pg_current_wal_insert_lsn() - pg_current_wal_lsn())::float8 as bytes',
  );
  return row!.bytes;
}

const readiness = async (): Promise<number> => (await service.call('GET', '/readyz')).status;

/** Returns how many there were. */
async function endConnections(): Promise<number> {
  return (await queryAt(server.url, `select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS}`)).length;
}

async function runningLoad(into?: Place): Promise<Load> {
  place = into ?? (await makeLogStream(service, place));
  const load = startLoad(service, place);
  await moreAcknowledged(load, 50);
  return load;
}

function expectHonestRefusals({ refusals, broken }: Told): void {
  expect(broken).toBe(0);
  expect(refusals.filter(({ status, retryAfter }) => status !== 503 || !/^[1-9]\d*$/.test(retryAfter ?? ''))).toStrictEqual([]);
}

async function expectScoring(): Promise<void> {
  place = await makeLogStream(service, place);
  await enableCodeScorer(service, place, `one ${place.log_stream_id}`, 'function scorer(record) { return 1; }');
  expect((await logTraces(service, place, [newTrace()])).status).toBe(200);
  const states = async () => (await search(service, place, 'traces')).flatMap(({ metric_info }) => Object.values(metric_info));
  await until('scoring', PATIENCE_MS, states, (all) => all.length === 1 && all[0]!.status_type === 'success');
}

describe('a service on a database of the user', () => {
  it('gets over the end of all its connections', async () => {
    const load = await runningLoad();
    let ended = 0;
    for (let time = 0; time < 10; time += 1) {
      await untilConnected();
      ended += await endConnections();
    }
    const ms = await moreAcknowledged(load, 50);
    const told = await load.stop();
    const kept = await readBack(service, place, told);
    print(
      `P9: all connections ended ten times, ${ended} in all: lost ${kept.lost}, refused ${told.refusals.length}, writing again after ${Math.round(ms)} ms`,
    );
    expect(kept).toMatchObject({ lost: 0, torn: 0, duplicates: 0 });
    expectHonestRefusals(told);
    expect(ended).toBeGreaterThan(20);
    expectWithin(BACK_MS, ms);
    await expectScoring();
  });

  it('stays up, says so, and refuses quickly while the server is stopped', async () => {
    const load = await runningLoad();
    await server.stop();
    await until('the news that the server is gone', PATIENCE_MS, readiness, (status) => status === 503);
    const before = load.told.refusals.length;
    for (const until = Date.now() + OUTAGE_MS; Date.now() < until; await sleep(250)) {
      expect((await service.call('GET', '/healthz')).status).toBe(200);
      const ready = await service.call('GET', '/readyz');
      expect({ status: ready.status, retry: ready.headers.get('retry-after') }).toStrictEqual({ status: 503, retry: '1' });
      const read = await service.call('GET', '/v2/projects');
      expect({ status: read.status, retry: read.headers.get('retry-after') }).toStrictEqual({ status: 503, retry: '1' });
    }
    const refused = load.told.refusals.slice(before);
    server = await startServer(samePort());
    const ms = await moreAcknowledged(load, 50);
    const told = await load.stop();
    const kept = await readBack(service, place, told);
    const slowest = Math.max(...refused.map(({ ms }) => ms));
    print(
      `P9: server stopped for ${OUTAGE_MS} ms: lost ${kept.lost}, refused ${told.refusals.length}, slowest refusal ${Math.round(slowest)} ms, writing again ${Math.round(ms)} ms after its return`,
    );
    expect(kept).toMatchObject({ lost: 0, torn: 0, duplicates: 0 });
    expectHonestRefusals(told);
    expectWithin(ANSWER_MS, slowest);
    expectWithin(BACK_MS, ms);
    await expectScoring();
    expect(service.run.hasEnded).toBe(false);
  });

  it('would be found out on a server that forgets what it has acknowledged', async () => {
    // Made while the server still keeps its word: what is read back has to be found.
    const into = await makeLogStream(service, place);
    await server.stop();
    server = await startServer({ ...samePort(), ...FORGETFUL });
    await until('readiness', PATIENCE_MS, readiness, (status) => status === 200);
    const load = await runningLoad(into);
    await until('commits in memory alone', PATIENCE_MS, unwrittenBytes, (bytes) => bytes > MUCH_BYTES);
    process.kill(databasePid(databaseDir)!, 'SIGKILL');
    await until('the news that the server is gone', PATIENCE_MS, readiness, (status) => status === 503);
    const told = await load.stop();
    await server.stop();
    server = await startServer(samePort());
    await until('readiness', PATIENCE_MS, readiness, (status) => status === 200);
    expect((await readBack(service, place, told)).lost).toBeGreaterThan(0);
  });
});
