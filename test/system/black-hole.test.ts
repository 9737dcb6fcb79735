import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { type BlackHole, blackHole } from '../setup/black-hole.ts';
import { readBack, startLoad } from './ingest-load.ts';
import { endEverything, makeDataDir, makeLogStream, type Place, print, type Service, startService, until } from './service.ts';

const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? 20_000);
/** Nothing tells that a connection is dead but the time that passes: the writer's limit for a statement, and a retry. */
const ANSWER_MS = 25_000;
const BACK_MS = 20_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

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

describe('a network that swallows everything between service and database', () => {
  it('is survived: the service lives, refuses with Retry-After, loses nothing, and goes on when it is over', async () => {
    const load = startLoad(service, place, 4);
    await until(
      'first answers',
      10_000,
      async () => load.told.acknowledged.size,
      (size) => size > 50,
    );
    hole.open();
    const healths: number[] = [];
    for (const end = Date.now() + OUTAGE_MS; Date.now() < end; await sleep(500)) {
      const began = performance.now();
      expect((await service.call('GET', '/healthz')).status).toBe(200);
      healths.push(performance.now() - began);
    }
    hole.shut();
    const ended = performance.now();
    const known = load.told.acknowledged.size;
    await until(
      'writing again',
      60_000,
      async () => load.told.acknowledged.size,
      (size) => size > known + 50,
    );
    const backMs = performance.now() - ended;
    const told = await load.stop();
    const kept = await readBack(service, place, told);
    const slowest = Math.max(0, ...told.refusals.map(({ ms }) => ms));
    print(
      `P9: black hole for ${OUTAGE_MS} ms: acknowledged ${kept.acknowledged}, lost ${kept.lost}, refused ${told.refusals.length}, slowest refusal ${Math.round(slowest)} ms, slowest health probe ${Math.round(Math.max(...healths))} ms, writing again after ${Math.round(backMs)} ms`,
    );
    expect(kept).toMatchObject({ lost: 0, torn: 0, duplicates: 0 });
    expect(told.refusals.filter(({ status, retryAfter }) => status !== 503 || !/^[1-9]\d*$/.test(retryAfter ?? ''))).toEqual([]);
    expect(told.broken).toBe(0);
    expect(slowest).toBeLessThan(ANSWER_MS);
    expect(backMs).toBeLessThan(BACK_MS);
    expect(service.run.hasEnded).toBe(false);
  });
});
