import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../setup/timing.ts';
import { type Fate, type FaultyModel, getFate, startFaultyModel } from './faulty-model.ts';
import { storedScores } from './own-database.ts';
import {
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

const COUNT = 1_000;
/** Nothing comes of the first call about these within its minute. */
const SILENT: ReadonlySet<number> = new Set([7, 8]);
/** Calls of one integration at once. */
const IN_FLIGHT = 16;

let dataDir: string;
let model: FaultyModel;
let service: Service;
let place: Place;
const start = () => startService(dataDir, { ALLOWED_PRIVATE_ENDPOINTS: new URL(model.url).host });

beforeAll(async () => {
  dataDir = await makeDataDir();
  model = await startFaultyModel(SILENT);
  service = await start();
  place = await makeLogStream(service);
});
afterAll(async () => {
  await endEverything();
  await model.close();
});

/** A judge of traces, enabled in the log stream. */
async function enableJudge(): Promise<string> {
  const settings = { endpoint: model.url, models: ['judge-1'], authentication_type: 'none' };
  await service.ask('PUT', '/v2/integrations/custom', settings);
  const facts = { name: 'polite', scorer_type: 'llm', scoreable_node_types: ['trace'], output_type: 'boolean' };
  const { id } = await service.ask<{ id: string }>('POST', '/v2/scorers', facts);
  const asks = { model_name: 'judge-1', num_judges: 1, user_prompt: 'Is this polite? {{output}}' };
  const version = await service.ask<{ id: string }>('POST', `/v2/scorers/${id}/version/llm`, asks);
  const path = `/v2/projects/${place.project_id}/runs/${place.log_stream_id}/scorer-settings`;
  await service.ask('POST', path, { run_id: place.log_stream_id, scorers: [{ id }] });
  return version.id;
}

const ENDS: Readonly<Record<Fate, object>> = {
  success: {
    status_type: 'success',
    model_alias: 'judge-1',
    num_judges: 1,
    scorer_type: 'Plus',
    total_tokens: expect.any(Number),
  },
  refused: { status_type: 'error', message: 'the model refused to judge' },
  malformed: { status_type: 'error', message: expect.stringMatching(/^no usable answer in 3 tries/) },
  broken: { status_type: 'error', message: 'custom: answered 500, in 4 tries' },
};

describe('a judge whose model fails in every way', () => {
  it(`comes to an end with each of ${COUNT} records, though it is killed in the middle, and pays again only for what was in flight`, {
    timeout: 600_000,
  }, async () => {
    const version = await enableJudge();
    const numbers = new Map(Array.from({ length: COUNT }, (_, number) => [randomUUID() as string, number]));
    const traces = [...numbers].map(([id, number]) => newTrace({ id, output: `record ${number}` }));
    for (let at = 0; at < COUNT; at += 100)
      expect((await logTraces(service, place, traces.slice(at, at + 100))).status).toBe(200);
    const scored = () => storedScores(dataDir, version);
    const before = await until('some verdicts', PATIENCE_MS, scored, ({ records }) => records >= COUNT / 4);
    await service.kill();
    service = await start();
    const began = performance.now();
    const after = await until('the other verdicts', 400_000, scored, ({ records }) => records >= COUNT);
    const seconds = Math.round((performance.now() - began) / 1000);
    expect(after).toStrictEqual({ rows: COUNT, records: COUNT });

    for (const { id, metric_info } of await search(service, place, 'traces')) {
      const number = numbers.get(id)!;
      const value = getFate(number) === 'success' ? { value: number % 2 === 0 } : {};
      expect(metric_info.polite, `record ${number}`).toMatchObject({ ...ENDS[getFate(number)], ...value });
    }

    const { spending } = await service.ask<{ spending: { calls: number; cost: number; cached_answers: number }[] }>(
      'GET',
      `/v2/projects/${place.project_id}/model-spending?run_id=${place.log_stream_id}`,
    );
    const counted = spending.reduce((sum, { calls }) => sum + calls, 0);
    const seen = [...model.seen.values()].reduce((a, b) => a + b, 0);
    const paidTwice = [...model.used.values()].filter((times) => times > 1).length;
    print(
      `judge: ${COUNT} records, killed at ${before.records}, the rest ${seconds} s later; calls counted ${counted}, seen by the provider ${seen}; usable answers given twice ${paidTwice}, from the cache ${spending.reduce((sum, one) => sum + one.cached_answers, 0)}`,
    );
    expect(counted).toBeGreaterThanOrEqual(seen);
    expect(counted - seen).toBeLessThanOrEqual(IN_FLIGHT);
    expect(paidTwice).toBeLessThanOrEqual(IN_FLIGHT);
  });
});
