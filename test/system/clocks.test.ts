import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { silent } from '../setup/silent.ts';
import { PATIENCE_MS } from '../setup/timing.ts';
import {
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

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BATCHES = 20;
const TRACES = 5;
const SHARED = {
  ADMIN_API_KEY: 'key-of-the-clock-proof-1',
  ACCESS_TOKEN_SECRET: 'a secret of the proof of clocks, long enough',
  SECRETS_KEY: 'a key of the proof of clocks, which is long enough',
  LOG_LEVEL: 'error',
};

let server: EmbeddedPostgres;
beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: await makeDataDir(), log: silent });
});
afterAll(async () => {
  await endEverything();
  await server?.stop();
});

async function instance(shiftMs: number): Promise<Service> {
  const clock = { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'shifted-clock.ts')}`, CLOCK_SHIFT_MS: String(shiftMs) };
  return startService(await makeDataDir(), { ...SHARED, ...clock, DATABASE_URL: server.url });
}

async function logBatches(service: Service, place: Place): Promise<string[]> {
  const batches = Array.from({ length: BATCHES }, () => Array.from({ length: TRACES }, () => newTrace()));
  const replies = await Promise.all(batches.map((batch) => logTraces(service, place, batch)));
  expect(replies.map(({ status }) => status)).toEqual(batches.map(() => 200));
  return batches.flat().map(({ id }) => id);
}

/** Ids in the order of pages that are asked for by turns. */
async function pagesByTurns(services: readonly Service[], place: Place): Promise<string[]> {
  const ids: string[] = [];
  for (let starting_token: number | null = 0, turn = 0; starting_token !== null; turn += 1) {
    const page: { records: { id: string }[]; next_starting_token: number | null } = await services[turn % services.length]!.ask(
      'POST',
      `/v2/projects/${place.project_id}/traces/search`,
      { log_stream_id: place.log_stream_id, starting_token, limit: 17 },
    );
    ids.push(...page.records.map(({ id }) => id));
    starting_token = page.next_starting_token;
  }
  return ids;
}

async function tokenStatus(from: Service, at: Service): Promise<number> {
  const { access_token } = await from.ask<{ access_token: string }>('POST', '/v2/login/api_key', { api_key: from.key });
  const reply = await fetch(`${at.url}/v2/projects`, { headers: { authorization: `Bearer ${access_token}` } });
  return reply.status;
}

describe.each([
  { what: 'five minutes', shift: 5 * MINUTE, late: 200 },
  // A token of one day ago has expired, whoever is wrong.
  { what: 'a day', shift: DAY, late: 401 },
])('two instances whose clocks are wrong by $what, one ahead and one behind', ({ what, shift, late }) => {
  let ahead: Service;
  let behind: Service;
  let place: Place;
  beforeAll(async () => {
    [ahead, behind] = [await instance(shift), await instance(-shift)];
    place = await makeLogStream(ahead);
  });
  afterAll(() => Promise.all([ahead?.stop(), behind?.stop()]));

  it('lose nothing, score everything once, and page alike', async () => {
    await enableCodeScorer(behind, place, `one ${place.log_stream_id}`, 'function scorer(record) { return 1; }');
    const sent = (await Promise.all([ahead, behind].map((service) => logBatches(service, place)))).flat().sort();
    const pages = await pagesByTurns([ahead, behind], place);
    expect([...pages].sort()).toEqual(sent);
    expect(await pagesByTurns([behind], place)).toEqual(pages);
    const scored = async () =>
      (await search(ahead, place, 'traces')).filter(({ metric_info }) =>
        Object.values(metric_info).some(({ status_type }) => status_type === 'success'),
      ).length;
    await until('scoring', PATIENCE_MS, scored, (count) => count === sent.length);
    print(`P11: clocks wrong by ${what}: logged ${sent.length}, found ${pages.length}, scored ${await scored()}, pages alike`);
  });

  it('take keys of each other, and tokens for as long as they last', async () => {
    const statuses = [await tokenStatus(ahead, behind), await tokenStatus(behind, ahead), await tokenStatus(ahead, ahead)];
    print(`P11: clocks wrong by ${what}: token of the one ahead ${statuses[0]}, of the one behind ${statuses[1]}`);
    expect(statuses).toEqual([200, late, 200]);
  });

  it('would show nothing if the clocks were right: what they log lies as far apart as their clocks', async () => {
    const other = await makeLogStream(ahead, place);
    const [first, second] = [newTrace(), newTrace()];
    await logTraces(ahead, other, [first]);
    await logTraces(behind, other, [second]);
    const found = (await search(ahead, other, 'traces')) as unknown as { id: string; created_at: string }[];
    const at = (id: string): number => Date.parse(found.find((record) => record.id === id)!.created_at);
    expect(at(first.id) - at(second.id)).toBeGreaterThan(2 * shift - MINUTE);
  });
});
