import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { parrotProvider } from './scorer-fixture.ts';

const MONTH = 30 / 7;
const rows = [{ model: 'priced-1', from: '2020-01-01', input: 4, output: 12 }];
let asked: number;

/** One model whose price nobody lists, though calls say what they cost, and one that is listed. */
const parrot = parrotProvider(() => {
  asked += 1;
  return '{"rating": true}';
});
const models = async () => ['judge-1', 'priced-1'].map((name) => ({ name, for_scorers: true }));
const provider: typeof parrot = {
  ...parrot,
  prices: { page: 'https://example.org/prices', rows },
  create: (host, settings) => ({ ...parrot.create(host, settings), models }),
};

let server: TestServer;
let ada: Person;
let at: string;
let run_id: string;
beforeEach(async () => {
  asked = 0;
  server = await startTestServer({ modelProviders: [provider] });
  ada = await person(server);
  at = `/v2/projects/${(await ada.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  run_id = (await ada.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
  await ada.request('PUT', '/v2/integrations/parrot', { token: 'of-ada' });
});
afterEach(() => server.close());

async function judge(model_name: string, scoreable_node_types = ['trace']): Promise<string> {
  const scorer = { name: `polite ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types };
  const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
  const version = { model_name, num_judges: 3, user_prompt: 'Is this polite? {{output}}' };
  expect((await server.request('POST', `/v2/scorers/${id}/version/llm`, version)).status).toBe(200);
  return id;
}
const log = (...traces: object[]) => ada.request('POST', `${at}/traces`, { log_stream_id: run_id, traces });
const logMany = (count: number, output = 'yes please') =>
  log(
    ...Array.from({ length: count }, (_, n) => ({ input: 'x', output, user_metadata: { team: n % 4 === 0 ? 'red' : 'blue' } })),
  );
const ask = (id: string, more: object = {}) => ada.request('POST', `${at}/runs/${run_id}/scorer-forecast`, { id, ...more });
const forecast = async (id: string, more: object = {}) => {
  const { status, body } = await ask(id, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const setRun = async (body: object) =>
  expect((await ada.request('PATCH', `${at}/log_streams/${run_id}/metric_settings`, body)).status).toBe(200);

describe('models without a price', () => {
  const forbid = async (forbidden: boolean, of = at) =>
    (await server.request('PUT', `${of}/unpriced-models`, { forbidden })).body;
  const why = 'the price of the model "judge-1" is not known, and calls of models without a price are forbidden';
  const scoreOf = async (trace_id: string) => (await ada.request('GET', `${at}/traces/${trace_id}`)).body.metric_info?.polite;

  it('are refused in a project that forbids them, by score, forecast and spending, until they have one', async () => {
    expect((await ada.request('GET', `${at}/unpriced-models`)).body).toEqual({
      forbidden: false,
      forbidden_by_organization: false,
    });
    const id = await judge('judge-1');
    expect(await forbid(true)).toEqual({ forbidden: true, forbidden_by_organization: false });
    await setRun({ scorers: [{ id, name: 'polite' }] });
    const [first] = (await logMany(1)).body.trace_ids;
    await eventually(async () => expect(await scoreOf(first)).toMatchObject({ status_type: 'failed', message: why }));
    expect(asked).toBe(0);
    expect(await forecast(id)).toMatchObject({ monthly_cost: null, unknown_because: why, models: [{ is_forbidden: true }] });
    expect((await ada.request('GET', `${at}/model-spending`)).body).toEqual({ spending: [], total_cost: 0, unpriced_calls: 0 });

    const prices = [{ model: 'judge-1', from: '2020-01-01', input: 4, output: 12 }];
    await ada.request('PUT', `${at}/model-prices`, { prices });
    expect(await forecast(id)).toMatchObject({ unknown_because: null, models: [{ is_forbidden: false }] });
    const [second] = (await logMany(1)).body.trace_ids;
    await eventually(async () => expect(await scoreOf(second)).toMatchObject({ status_type: 'success' }));
    expect((await ada.request('GET', `${at}/model-spending`)).body).toMatchObject({ total_cost: 1.5, unpriced_calls: 0 });
  });

  it('are refused in all projects, and outside of them, where the organization forbids them', async () => {
    expect(await forbid(true, '/v2')).toEqual({ forbidden: true });
    expect(await forbid(false)).toEqual({ forbidden: false, forbidden_by_organization: true });
    await logMany(1);
    expect(await forecast(await judge('judge-1'))).toMatchObject({ unknown_because: why });
    const wanted = { output_type: 'boolean', cot_enabled: true, scoreable_node_types: ['llm'] };
    const request = { instructions: 'Is the answer polite?', model_name: 'judge-1', ...wanted };
    const { task_result_id } = (await ada.request('POST', '/v2/scorers/llm/autogen', request)).body;
    await eventually(async () => {
      const { body } = await ada.request('GET', `/v2/jobs/${task_result_id}`);
      expect(body).toMatchObject({ status: 'failed' });
      expect(JSON.stringify(body)).toContain(JSON.stringify(why).slice(1, -1));
    });
    expect(asked).toBe(0);
    expect((await ada.request('PUT', `${at}/unpriced-models`, { forbidden: 'yes' })).status).toBe(422);
  });
});

describe('the forecast of what a scorer will cost', () => {
  it('is questions of the last week by tokens by price, and asks no model', async () => {
    await logMany(8);
    const [one, ...others] = (await forecast(await judge('priced-1'))).models;
    expect(others).toEqual([]);
    expect(one).toMatchObject({ model: 'priced-1', provider: 'parrot', is_measured: false, output_tokens_per_call: 150 });
    expect(one.calls_per_month).toBeCloseTo(3 * 8 * MONTH);
    expect(one.cost_per_call).toBeCloseTo((one.input_tokens_per_call * 4 + 150 * 12) / 1e6);
    const { monthly_cost, unknown_because } = await forecast(await judge('priced-1'));
    expect([monthly_cost, unknown_because]).toEqual([expect.closeTo(one.calls_per_month * one.cost_per_call), null]);
    expect(asked).toBe(0);
  });

  it('grows with the texts that would be sent', async () => {
    await logMany(2);
    const id = await judge('priced-1');
    const before = (await forecast(id)).models[0].input_tokens_per_call;
    await logMany(2, 'yes please'.padEnd(4010, '.'));
    expect((await forecast(id)).models[0].input_tokens_per_call - before).toBeCloseTo(4000 / 4 / 2);
  });

  it('is unknown, never zero, for a model without a price, until calls of the version have told one', async () => {
    await logMany(2);
    const id = await judge('judge-1');
    expect(await forecast(id)).toMatchObject({
      monthly_cost: null,
      unknown_because: 'the price of the model "judge-1" is not known',
      models: [{ cost_per_call: null, is_measured: false }],
    });
    await setRun({ scorers: [{ id }] });
    await logMany(1);
    await eventually(async () => expect(asked).toBe(3));
    await eventually(async () => {
      const measured = { is_measured: true, input_tokens_per_call: 10, output_tokens_per_call: 2, cost_per_call: 0.5 };
      expect(await forecast(id)).toMatchObject({ models: [measured], unknown_because: null });
    });
    expect((await forecast(id)).monthly_cost).toBeCloseTo(3 * 3 * MONTH * 0.5);
  });

  it('counts what filters and samples leave, traces and spans alike', async () => {
    await log(...Array.from({ length: 4 }, () => ({ input: 'x', spans: [{ type: 'tool', name: 'look', output: 'y' }] })));
    await logMany(4);
    const spans = await judge('priced-1', ['trace', 'tool']);
    expect(await forecast(spans)).toMatchObject({ records_last_week: 12, judged_last_week: 12 });
    const filters = [{ name: 'metadata', key: 'team', value: 'red' }];
    expect(await forecast(spans, { filters })).toMatchObject({ records_last_week: 12, judged_last_week: 1 });
    await setRun({ segment_filters: [{ sample_rate: 0.25, llm_scorers: true }] });
    expect(await forecast(spans)).toMatchObject({ records_last_week: 12, judged_last_week: 3 });
  });

  it('is zero for a program, and unknown where there is no traffic, no such model, or a session to judge', async () => {
    const { id } = (await server.request('POST', '/v2/scorers', { name: randomUUID(), scorer_type: 'code' })).body;
    const form = new FormData();
    form.set('file', new Blob(['function scorer() { return 1; }']), 'scorer.js');
    await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form });
    expect(await forecast(id)).toMatchObject({ monthly_cost: 0, unknown_because: null, models: [] });
    const priced = await judge('priced-1');
    expect(await forecast(priced)).toMatchObject({ monthly_cost: null, unknown_because: expect.stringContaining('seven days') });
    await logMany(1);
    const reasonOf = async (of: string, more = {}) => {
      const { monthly_cost, unknown_because } = await forecast(of, more);
      expect(monthly_cost).toBeNull();
      return unknown_because;
    };
    expect(await reasonOf(priced, { model_name: 'gone-1' })).toContain('offers the model "gone-1"');
    expect(await reasonOf(await judge('priced-1', ['session']))).toContain('sessions');
  });

  it('refuses runs, scorers and versions that do not exist', async () => {
    const id = await judge('priced-1');
    const refused = async (reply: ReturnType<typeof ask>) => [(await reply).status, (await reply).body.code];
    expect(await refused(ask(randomUUID()))).toEqual([404, 'scorer_not_found']);
    expect(await refused(ask(id, { scorer_version: { id: randomUUID() } }))).toEqual([404, 'scorer_version_not_found']);
    run_id = randomUUID();
    expect(await refused(ask(id))).toEqual([404, 'run_not_found']);
  });
});
