import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectWithin, PATIENCE_MS } from '../setup/timing.ts';
import { type Kept, moreAcknowledged, readBack, startLoad, type Told } from './ingest-load.ts';
import { queryOwn, storedScores } from './own-database.ts';
import {
  databasePid,
  enableCodeScorer,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  type NewTrace,
  newTrace,
  type Place,
  percentile,
  print,
  Service,
  search,
  startService,
  until,
} from './service.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 10);
const RECOVERY_MS = 5_000;

let dataDir: string;
let service: Service;
let place: Place;

beforeAll(async () => {
  dataDir = await makeDataDir();
  service = await startService(dataDir);
  place = await makeLogStream(service);
});
afterEach(() => {
  if (service.run.hasEnded) print(`the service has ended: ${service.run.stderr}`);
});
afterAll(endEverything);

const query = <Row extends object>(sql: string, values?: unknown[]) => queryOwn<Row>(dataDir, sql, values);

/** Kills the process and starts it again. Returns how long it took to be ready. */
async function killAndRestart(): Promise<number> {
  await service.kill();
  const started = performance.now();
  service = await startService(dataDir);
  await service.ask('GET', '/readyz');
  return performance.now() - started;
}

describe('a service that is killed', () => {
  it('keeps every trace it acknowledged, and each batch whole or not at all', async () => {
    const total = { acknowledged: 0, found: 0, lost: 0, torn: 0, duplicates: 0 };
    const recoveries: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      place = await makeLogStream(service, place);
      const load = startLoad(service, place);
      await moreAcknowledged(load, 10);
      // At any moment of what goes on then.
      await sleep(Math.random() * 1_500);
      const [recovery, told] = await Promise.all([killAndRestart(), load.stop()]);
      recoveries.push(recovery);
      const kept = await readBack(service, place, told);
      for (const name of Object.keys(total) as (keyof Kept)[]) total[name] += kept[name];
    }
    const [p50, p95] = [0.5, 0.95].map((share) => Math.round(percentile(recoveries, share)));
    print(
      `P1: ${ROUNDS} rounds, acknowledged ${total.acknowledged}, found ${total.found}, lost ${total.lost}, torn batches ${total.torn}, recovery p50 ${p50} ms, p95 ${p95} ms`,
    );
    expect(total).toMatchObject({ lost: 0, torn: 0, duplicates: 0 });
    expect(total.acknowledged).toBeGreaterThan(ROUNDS * 10);
    expectWithin(RECOVERY_MS, p95!);
  });

  it('would be found out if it answered before the records are safe', async () => {
    const early = await answersEarly(service.url);
    try {
      place = await makeLogStream(service, place);
      const load = startLoad(new Service(service.run, early.url, service.key), place);
      await moreAcknowledged(load, 50);
      const [, told] = await Promise.all([killAndRestart(), load.stop()]);
      expect((await readBack(service, place, told)).lost).toBeGreaterThan(0);
    } finally {
      early.close();
    }
  });

  it('scores every record exactly once when it is killed in the middle', async () => {
    const count = 1_000;
    place = await makeLogStream(service, place);
    // Slow enough to be killed in the middle.
    const source = 'function scorer(record) { const end = Date.now() + 4; while (Date.now() < end); return 0.25; }';
    const version = await enableCodeScorer(service, place, 'quarter', source);
    const traces = Array.from({ length: count }, () => newTrace());
    for (let at = 0; at < count; at += 100) {
      expect((await logTraces(service, place, traces.slice(at, at + 100))).status).toBe(200);
    }
    const scored = () => storedScores(dataDir, version);
    const before = await until('some scores', PATIENCE_MS, scored, ({ records }) => records >= 250);
    const killed = performance.now();
    await killAndRestart();
    const after = await until('the rest of the scores', PATIENCE_MS, scored, ({ records }) => records >= count);
    const seconds = ((performance.now() - killed) / 1000).toFixed(1);
    print(
      `P8: killed at ${before.records} of ${count} scores, all there ${seconds} s later, duplicates ${after.rows - after.records}`,
    );
    expect(after).toStrictEqual({ rows: count, records: count });
    const found = await search(service, place, 'traces');
    expect(found.map(({ metric_info }) => metric_info.quarter)).toStrictEqual(
      found.map(() => expect.objectContaining({ status_type: 'success', value: 0.25 })),
    );
    const waiting = "select count(*)::int as jobs from pgboss.job where name = 'scoring' and state < 'completed'";
    const jobsLeft = async () => (await query<{ jobs: number }>(waiting))[0]!.jobs;
    await until('the end of all scoring jobs', PATIENCE_MS, jobsLeft, (jobs) => jobs === 0);
    expect(await scored()).toStrictEqual({ rows: count, records: count });
  });
});

describe('traces that are sent again', () => {
  /** Sends every batch ten times after another and ten times at once; batches overlap and repeat records inside. */
  async function resend(into: Place): Promise<{ distinct: number; statuses: Set<number> }> {
    const traces = Array.from({ length: 100 }, () => newTrace());
    const batches = Array.from({ length: 10 }, (_, at) => [...traces.slice(at * 10, at * 10 + 20), traces[at]!]);
    const statuses = new Set<number>();
    const send = async (batch: NewTrace[]) => statuses.add((await logTraces(service, into, batch)).status);
    for (let time = 0; time < 10; time += 1) for (const batch of batches) await send(batch);
    await Promise.all(batches.flatMap((batch) => Array.from({ length: 10 }, () => send(batch))));
    return { distinct: traces.length, statuses };
  }

  const toRows = async ({ project_id, log_stream_id }: Place, isTrace: boolean) => {
    const rows = await query<{ rows: number; ids: number }>(
      'select count(*)::int as rows, count(distinct id)::int as ids from records where project_id = $1 and run_id = $2 and is_trace = $3',
      [project_id, log_stream_id, isTrace],
    );
    return rows[0];
  };

  it('are there once', async () => {
    place = await makeLogStream(service, place);
    const { distinct, statuses } = await resend(place);
    expect([...statuses]).toStrictEqual([200]);
    expect(await toRows(place, true)).toStrictEqual({ rows: distinct, ids: distinct });
    expect(await toRows(place, false)).toStrictEqual({ rows: distinct, ids: distinct });
    print(`P3: ${distinct} records sent 20 times, in overlapping batches: ${distinct} rows`);
  });

  it('would not be there once without the key of the table', async () => {
    const [key] = await query<{ name: string }>(
      "select conname as name from pg_constraint where conrelid = 'records'::regclass and contype = 'p'",
    );
    await query(`alter table records drop constraint ${key!.name}`);
    try {
      place = await makeLogStream(service, place);
      const { distinct, statuses } = await resend(place);
      const rows = await toRows(place, true);
      expect({ rows, statuses: [...statuses] }).not.toStrictEqual({ rows: { rows: distinct, ids: distinct }, statuses: [200] });
    } finally {
      await query('delete from records where run_id = $1', [place.log_stream_id]);
      await query(`alter table records add constraint ${key!.name} primary key (project_id, id, run_id)`);
    }
  });
});

function duringOutage(error: Error): undefined {
  if (!error.message.includes(' answered 503: ')) throw error;
}

describe('its database', () => {
  /** Writes while `harm` is done to the database; the service has to stay and to lose nothing. */
  async function loadDuring(harm: () => void | Promise<void>): Promise<{ told: Told; kept: Kept; outageMs: number }> {
    place = await makeLogStream(service, place);
    const load = startLoad(service, place);
    await moreAcknowledged(load, 100);
    await harm();
    const harmed = performance.now();
    const isReady = async () => (await service.call('GET', '/readyz')).status === 200;
    await until('recovery', PATIENCE_MS, isReady, (ready) => ready);
    await moreAcknowledged(load, 100);
    const outageMs = performance.now() - harmed;
    const told = await load.stop();
    // The server may notice that one of its processes is gone, and begin anew, only now.
    const read = () => readBack(service, place, told).catch(duringOutage);
    const kept = await until('the records', PATIENCE_MS, read, (found) => found !== undefined);
    return { told, kept: kept!, outageMs };
  }

  const cases: [string, string, () => void | Promise<void>][] = [
    ['the server is killed', 'SIGKILL of the postmaster', () => void process.kill(databasePid(dataDir)!, 'SIGKILL')],
    ['the server shuts down at once', 'immediate shutdown', () => void process.kill(databasePid(dataDir)!, 'SIGQUIT')],
    ['one of its processes is killed', 'SIGKILL of a backend', killWriter],
  ];

  /** While traces are written: a writer that was there before them may have been replaced since the last end of the server. */
  async function killWriter(): Promise<void> {
    const writers = () =>
      query<{ pid: number }>("select pid from pg_stat_activity where application_name = 'touchstone writer' limit 1");
    const [writer] = await until('a writer', PATIENCE_MS, writers, ([found]) => found !== undefined);
    process.kill(writer!.pid, 'SIGKILL');
  }

  it.each(cases)('comes back by itself when %s, and nothing acknowledged is lost', async (_title, name, harm) => {
    const { pid } = service.run;
    const { told, kept, outageMs } = await loadDuring(harm);
    print(
      `P2: ${name}: acknowledged ${kept.acknowledged}, found ${kept.found}, lost ${kept.lost}, refused ${told.refusals.length}, writing again after ${Math.round(outageMs)} ms`,
    );
    expect(kept).toMatchObject({ lost: 0, torn: 0, duplicates: 0 });
    expect(told.broken).toBe(0);
    expect(service.run.pid).toBe(pid);
    expect(service.run.hasEnded).toBe(false);
    const other = told.refusals.filter(({ status, retryAfter }) => status !== 503 || !/^[1-9]\d*$/.test(retryAfter ?? ''));
    expect(other).toStrictEqual([]);
    expectWithin(10_000, outageMs);
  });
});

/**
 * Stands between clients and the service and says yes to every trace before it hands it on: what the service would do
 * if it answered before its commit.
 */
async function answersEarly(url: string): Promise<{ url: string; close(): void }> {
  const proxy = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    res.setHeader('content-type', 'application/json');
    res.end('{}');
    const headers = { 'content-type': 'application/json', 'service-api-key': String(req.headers['service-api-key']) };
    await fetch(`${url}${req.url}`, { method: 'POST', headers, body: Buffer.concat(chunks) }).catch(() => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
