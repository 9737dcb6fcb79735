import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedScores } from './own-database.ts';
import {
  enableCodeScorer,
  endEverything,
  logTraces,
  makeDataDir,
  makeLogStream,
  newTrace,
  type Place,
  type Service,
  search,
  startService,
  until,
} from './service.ts';

const LIMIT_MS = 300_000;
const NEIGHBOUR_TRACES = 20;
const LOOPING_TRACES = 400;
const ATTACKERS = 3;
/** Of each attacker: a quarter of an hour for all of them, however slow the machine is with the neighbour. */
const SLOW_TRACES = 2_000;
/** Short of what a record may take, so that nothing in it is a strike. */
/** A program that spins on everything but the sample that a new version is tried on. */
const LOOPING = 'function scorer(record) { while (record.input !== "What is the capital of France?"); return true; }';
const SLOW = 'function scorer() { const end = Date.now() + 300; while (Date.now() < end); return true; }';

let dataDir: string;
let service: Service;
let silent: Server;
let place: Place;
let version: string;

beforeAll(async () => {
  dataDir = await makeDataDir();
  // Connections stay open, and nothing comes.
  silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  service = await startService(dataDir, { ALLOWED_PRIVATE_ENDPOINTS: `127.0.0.1:${(silent.address() as AddressInfo).port}` });
  place = await makeLogStream(service);
  version = await enableCodeScorer(service, place, 'quick', 'function scorer() { return true; }');
});
afterAll(async () => {
  await endEverything();
  silent.closeAllConnections();
  silent.close();
});

/** Logs traces of the neighbour one by one and waits until each has its score. */
async function neighbourIsScored(): Promise<void> {
  const before = (await storedScores(dataDir, version)).records;
  for (let at = 1; at <= NEIGHBOUR_TRACES; at += 1) {
    expect((await logTraces(service, place, [newTrace({ id: randomUUID() })])).status).toBe(200);
    await until(
      'a score of the neighbour',
      LIMIT_MS,
      () => storedScores(dataDir, version),
      ({ records }) => records >= before + at,
    );
  }
}

describe('a neighbour of a project that keeps scoring busy', () => {
  it('gets its scores while scorers of the other one loop, which are switched off, and can be switched on again', {
    timeout: LIMIT_MS * 2,
  }, async () => {
    const other = await makeLogStream(service);
    const looping = await enableCodeScorer(service, other, 'looping', LOOPING);
    const traces = Array.from({ length: LOOPING_TRACES }, () => newTrace({ id: randomUUID() }));
    for (let at = 0; at < LOOPING_TRACES; at += 100) await logTraces(service, other, traces.slice(at, at + 100));
    await neighbourIsScored();
    await until(
      'an end of what loops',
      LIMIT_MS,
      () => storedScores(dataDir, looping),
      ({ records }) => records === LOOPING_TRACES,
    );
    const found = await search(service, other, 'traces');
    const messages = found.map(({ metric_info }) => (metric_info.looping as { message?: string }).message ?? '');
    expect(messages.filter((message) => message.includes('switched off')).length).toBeGreaterThan(LOOPING_TRACES / 2);

    const settings = `/v2/projects/${other.project_id}/log_streams/${other.log_stream_id}/metric_settings`;
    const { scorers } = await service.ask<{ scorers: { id: string; suspension: object }[] }>('GET', settings);
    expect(scorers[0]!.suspension).toMatchObject({ reason: 'timed_out', scorer_version_id: looping });
    const { suspensions } = await service.ask<{ suspensions: object[] }>('POST', `/v2/scorers/${scorers[0]!.id}/resume`);
    expect(suspensions).toMatchObject([{ project_id: other.project_id, scorer_version_id: looping }]);
    expect(await service.ask('GET', `/v2/scorers/${scorers[0]!.id}/suspensions`)).toEqual({ suspensions: [] });
  });

  it('gets its scores while slow scorers of three others hold all that they may, long before those come to an end', {
    timeout: LIMIT_MS * 2,
  }, async () => {
    const attackers = await Promise.all(
      Array.from({ length: ATTACKERS }, async (_, at) => {
        const other = await makeLogStream(service);
        const slow = await enableCodeScorer(service, other, `slow ${at}`, SLOW);
        return { other, slow };
      }),
    );
    const left = async (): Promise<number> => {
      const scored = await Promise.all(attackers.map(({ slow }) => storedScores(dataDir, slow)));
      return ATTACKERS * SLOW_TRACES - scored.reduce((sum, { records }) => sum + records, 0);
    };
    for (const { other } of attackers) {
      const traces = Array.from({ length: SLOW_TRACES }, () => newTrace({ id: randomUUID() }));
      for (let at = 0; at < SLOW_TRACES; at += 100) await logTraces(service, other, traces.slice(at, at + 100));
    }
    await neighbourIsScored();
    expect(await left()).toBeGreaterThan(0);
    for (const { other } of attackers) await service.ask('DELETE', `/v2/projects/${other.project_id}`);
  });

  it('gets its scores while the model of the other one’s judge does not answer', { timeout: LIMIT_MS }, async () => {
    const other = await makeLogStream(service);
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await service.ask('PUT', '/v2/integrations/custom', { endpoint, models: ['judge-1'], authentication_type: 'none' });
    const facts = { name: 'polite', scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
    const { id } = await service.ask<{ id: string }>('POST', '/v2/scorers', facts);
    const asks = { model_name: 'judge-1', num_judges: 1, user_prompt: 'Is this polite? {{output}}' };
    const judge = await service.ask<{ id: string }>('POST', `/v2/scorers/${id}/version/llm`, asks);
    const path = `/v2/projects/${other.project_id}/runs/${other.log_stream_id}/scorer-settings`;
    await service.ask('POST', path, { run_id: other.log_stream_id, scorers: [{ id }] });
    for (let at = 0; at < 12; at += 1) await logTraces(service, other, [newTrace({ id: randomUUID() })]);
    await neighbourIsScored();
    expect((await storedScores(dataDir, judge.id)).records).toBe(0);
  });
});
