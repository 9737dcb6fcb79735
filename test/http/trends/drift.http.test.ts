import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { scorerFixture } from '../scorers/scorer-fixture.ts';

const NOW = Date.parse('2026-03-10T12:30:00.000Z');
const HOUR = 3_600_000;
const SOURCE = 'function scorer(node) { return Number(node.output) || 0; }';

let server: TestServer;
let at: string;
let run_id: string;
let scorer_id: string;
beforeEach(async () => {
  server = await startTestServer({ overrides: { clock: asValue(() => new Date(NOW)) } });
  at = `/v2/projects/${(await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  run_id = (await server.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
  const scorer = {
    name: `quality ${randomUUID()}`,
    scorer_type: 'code',
    output_type: 'percentage',
    scoreable_node_types: ['trace'],
  };
  scorer_id = (await server.request('POST', '/v2/scorers', scorer)).body.id;
  await scorerFixture(() => server).upload(scorer_id, SOURCE);
  const settings = { scorers: [{ id: scorer_id, name: 'quality' }] };
  expect((await server.request('PATCH', `${at}/log_streams/${run_id}/metric_settings`, settings)).status).toBe(200);
});
afterEach(() => server.close());

/** Logs traces of these scores so many hours ago, each with one call of a model. */
const log = (hoursAgo: number, scores: readonly number[], model: string, tokens: number) =>
  server.request('POST', `${at}/traces`, {
    log_stream_id: run_id,
    traces: scores.map((score) => {
      const created_at = new Date(NOW - hoursAgo * HOUR).toISOString();
      const call = { type: 'llm', input: 'x', output: 'y', created_at, model, metrics: { num_input_tokens: tokens } };
      return { input: 'x', output: String(score), created_at, spans: [call] };
    }),
  });
const drift = async (query = '') => (await server.request('GET', `${at}/runs/${run_id}/scorers/${scorer_id}/drift${query}`)).body;
const many = (count: number, toScore: (at: number) => number) => Array.from({ length: count }, (_, index) => toScore(index));

it('the drift of a scorer is told of its values, and of the tokens and models that it judged', async () => {
  await log(
    48,
    many(80, (index) => (index % 4) / 4),
    'small-1',
    100,
  );
  await log(
    30,
    many(80, (index) => (index % 4) / 4),
    'small-1',
    120,
  );
  await log(
    2,
    many(60, (index) => (index % 4 === 0 ? 0.5 : 1)),
    'large-1',
    110,
  );
  await eventually(async () => {
    const [score] = (await drift()).measures;
    expect([score.reference_count, score.current_count]).toEqual([160, 60]);
  });
  const { metric_name, reference, current, measures } = await drift();
  expect([metric_name, reference.end_time, current.end_time]).toEqual([
    ...['quality', '2026-03-09T12:00:00.000Z', '2026-03-10T13:00:00.000Z'],
  ]);
  const [score, tokens, model] = measures;
  expect(score).toMatchObject({ of: 'score', change: 'significant', unknown_because: null });
  expect(score.stability_index).toBeGreaterThan(score.chance_level);
  expect(score.bins.reduce((sum: number, bin: { current_count: number }) => sum + bin.current_count, 0)).toBe(60);
  expect(tokens).toMatchObject({ of: 'input_tokens', reference_count: 160, current_count: 60 });
  expect(model).toMatchObject({ of: 'model', change: 'significant' });
  expect(model.bins).toEqual([
    { lower: null, upper: null, value: 'small-1', reference_count: 160, current_count: 0 },
    { lower: null, upper: null, value: 'large-1', reference_count: 0, current_count: 60 },
  ]);

  const before = '?start_time=2026-03-09T00:00:00Z&end_time=2026-03-09T12:00:00Z';
  const [unmoved] = (await drift(before)).measures;
  expect(unmoved).toMatchObject({ change: 'none', stability_index: 0, reference_count: 80, current_count: 80 });
});

it('the drift of a scorer is unknown without values, and refused for windows and ids that are none', async () => {
  const { measures } = await drift();
  for (const measure of measures)
    expect(measure).toMatchObject({ stability_index: null, change: null, unknown_because: 'the reference has no values' });
  const refused = async (query: string) => (await drift(query)).code;
  expect(await refused('?start_time=2026-03-10T00:00:00Z&end_time=2026-03-09T00:00:00Z')).toBe('time_range_empty');
  expect(await refused('?reference_end_time=2026-03-10T00:00:00Z')).toBe('windows_overlap');
  expect(await refused('?start_time=2020-03-10T00:00:00Z')).toBe('window_too_long');
  const unknown = await server.request('GET', `${at}/runs/${run_id}/scorers/${randomUUID()}/drift`);
  expect([unknown.status, unknown.body.code]).toEqual([404, 'scorer_not_found']);
  const elsewhere = await server.request('GET', `${at}/runs/${randomUUID()}/scorers/${scorer_id}/drift`);
  expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'run_not_found']);
});
