import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { type BlackHole, blackHole } from '../setup/black-hole.ts';
import { silent } from '../setup/silent.ts';
import { expectWithin } from '../setup/timing.ts';
import { moreAcknowledged, readBack, startLoad } from './ingest-load.ts';
import { endEverything, makeDataDir, makeLogStream, type Place, print, type Service, startService } from './service.ts';

const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? 20_000);
/** Nothing tells that a connection is dead but the time that passes: two seconds at most, and some for a busy machine. */
const ANSWER_MS = 2_500;
/** Until everybody who asks has to know. */
const KNOWN_MS = 3_000;
const QUICK_MS = 500;
const BACK_MS = 5_000;

let server: EmbeddedPostgres;
let hole: BlackHole;
let service: Service;
let place: Place;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: await makeDataDir(), log: silent });
  hole = await blackHole(server.url);
  service = await startService(await makeDataDir(), { DATABASE_URL: hole.url, LOG_LEVEL: 'error' });
  place = await makeLogStream(service);
});
afterAll(async () => {
  await endEverything();
  hole?.close();
  await server?.stop();
});

interface Asked {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
}

async function asked(path: string): Promise<Asked> {
  const began = performance.now();
  const { status, headers } = await service.call('GET', path);
  return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - began };
}

const computeSlowest = (all: readonly Asked[]): number => Math.round(Math.max(0, ...all.map(({ ms }) => ms)));

describe('a network that swallows everything between service and database', () => {
  it('is survived: the service lives, refuses with Retry-After, loses nothing, and goes on when it is over', async () => {
    const load = startLoad(service, place, 4);
    await moreAcknowledged(load, 50);
    hole.open();
    const healths: number[] = [];
    const reads: Asked[] = [];
    const began = performance.now();
    const known = { ready: [] as Asked[], reads: [] as Asked[] };
    const reading: Promise<void>[] = [];
    let knownMs = 0;
    while (performance.now() - began < OUTAGE_MS || knownMs === 0 || known.ready.length === 0) {
      if (knownMs === 0 && (await asked('/readyz')).status === 503) knownMs = performance.now() - began;
      const isKnown = knownMs > 0;
      const health = await asked('/healthz');
      expect(health.status).toBe(200);
      healths.push(health.ms);
      reading.push(asked('/v2/projects').then((read) => void (isKnown ? known.reads : reads).push(read)));
      if (isKnown) known.ready.push(await asked('/readyz'));
      await sleep(250);
    }
    await Promise.all(reading);
    hole.shut();
    const ended = performance.now();
    await moreAcknowledged(load, 50);
    const backMs = performance.now() - ended;
    const told = await load.stop();
    const kept = await readBack(service, place, told);
    const slowest = Math.max(0, ...told.refusals.map(({ ms }) => ms));
    print(
      `P9: black hole for ${OUTAGE_MS} ms, known after ${Math.round(knownMs)} ms: acknowledged ${kept.acknowledged}, lost ${kept.lost}, refused ${told.refusals.length}, slowest refusal of a write ${Math.round(slowest)} ms, of a read ${computeSlowest([...reads, ...known.reads])} ms, of a read once it was known ${computeSlowest(known.reads)} ms, slowest readiness probe ${computeSlowest(known.ready)} ms, slowest health probe ${Math.round(Math.max(...healths))} ms, writing again after ${Math.round(backMs)} ms`,
    );
    expect(kept).toMatchObject({ lost: 0, torn: 0, duplicates: 0 });
    expect(told.refusals.filter(({ status, retryAfter }) => status !== 503 || !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
    expect(told.broken).toBe(0);
    for (const { status, retryAfter } of [...reads, ...known.reads, ...known.ready])
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '1' });
    expectWithin(KNOWN_MS, knownMs);
    expectWithin(ANSWER_MS, slowest);
    expectWithin(ANSWER_MS, computeSlowest(reads));
    expectWithin(QUICK_MS, computeSlowest([...known.reads, ...known.ready]));
    expectWithin(BACK_MS, backMs);
    expect(service.run.hasEnded).toBe(false);
  });
});
