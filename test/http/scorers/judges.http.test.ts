import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PluginError } from '../../../core/plugin-sdk/index.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { parrotProvider } from './scorer-fixture.ts';

/** Requests to the model, with their tokens. */
let asked: { token: string; text: string }[];
let answer: (text: string) => string;

const model = parrotProvider((question) => {
  asked.push(question);
  return answer(question.text);
});

let server: TestServer;
let ada: Person;
let at: string;
let run_id: string;
beforeEach(async () => {
  asked = [];
  answer = () => '{"rating": true}';
  server = await startTestServer({ modelProviders: [model] });
  ada = await person(server);
  at = `/v2/projects/${(await ada.request('POST', '/v2/projects', { name: 'Atlas' })).body.id}`;
  run_id = (await ada.request('POST', `${at}/log_streams`, { name: 'default' })).body.id;
  await ada.request('PUT', '/v2/integrations/parrot', { token: 'of-ada' });
});
afterEach(() => server.close());

/** A judge with one version. */
async function judge(definition: object = {}): Promise<string> {
  const scorer = { name: `polite ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types: ['trace'] };
  const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
  const version = { model_name: 'judge-1', num_judges: 3, user_prompt: 'Is this polite? {{output}}', ...definition };
  expect((await server.request('POST', `/v2/scorers/${id}/version/llm`, version)).status).toBe(200);
  return id;
}
const enable = (id: string, more: object = {}, by: Pick<Person, 'request'> = ada) =>
  by.request('POST', `${at}/runs/${run_id}/scorer-settings`, { scorers: [{ id, name: 'polite', ...more }] });
const log = async (trace: object): Promise<string> =>
  (await ada.request('POST', `${at}/traces`, { log_stream_id: run_id, traces: [trace] })).body.trace_ids[0];
const ended = (id: string, expected: object) =>
  eventually(async () => {
    const { body } = await ada.request('GET', `${at}/traces/${id}`);
    expect(body.metric_info.polite).toMatchObject(expected);
    return body.metric_info.polite;
  });
const spending = async () => (await ada.request('GET', `${at}/model-spending?run_id=${run_id}`)).body;

describe('a judge', () => {
  it('says what it says with what it took, in every field of its status', async () => {
    await enable(await judge());
    const id = await log({ input: 'x', output: 'yes please' });
    const costs = {
      cost: 1.5,
      model_alias: 'judge-1-2026-01-01',
      num_judges: 3,
      input_tokens: 30,
      output_tokens: 6,
      total_tokens: 36,
      agreement: 1,
    };
    expect(await ended(id, { status_type: 'success' })).toEqual({
      status_type: 'success',
      value: true,
      display_value: null,
      explanation: null,
      rationale: null,
      ...costs,
      critique: null,
      scorer_type: 'Plus',
    });
    const { scores } = (await ada.request('GET', `${at}/runs/${run_id}/records/${id}/scores`)).body;
    const votes = [1, 2, 3].map(() => ({ value: true, explanation: null }));
    expect(scores).toMatchObject([{ of: 'record', metric_name: 'polite', votes, agreement: 1, times_scored: 1, cached: false }]);
    expect(asked.every(({ text, token }) => text.includes('yes please') && token === 'of-ada')).toBe(true);
    expect(await spending()).toMatchObject({
      spending: [{ model: 'judge-1', calls: 3, cost: 1.5, input_tokens: 30 }],
      total_cost: 1.5,
    });
  });

  it('asks nothing twice: the same text again is answered from what is known', async () => {
    await enable(await judge({ num_judges: 1 }));
    await ended(await log({ output: 'yes please' }), { status_type: 'success', cost: 0.5 });
    await ended(await log({ output: 'yes please' }), { status_type: 'success', cost: 0 });
    expect(asked).toHaveLength(1);
    expect((await spending()).spending).toMatchObject([{ calls: 1, cached_answers: 1 }]);
  });

  it('runs as the entry says', async () => {
    await enable(await judge(), { num_judges: 2, cot_enabled: true });
    answer = () => '{"explanation": "it says please", "rating": true}';
    await ended(await log({ output: 'yes please' }), { status_type: 'success', explanation: 'it says please', num_judges: 2 });
    expect(asked).toHaveLength(2);
    expect(await enable(await judge(), { output_type: 'freeform', num_judges: 11 })).toMatchObject({ status: 422 });
  });

  it('ends in an error that says why, when its model does not', async () => {
    await enable(await judge({ num_judges: 1 }));
    answer = () => {
      throw new PluginError('unsupported', 'parrot: answered 400');
    };
    await ended(await log({ output: 'x' }), { status_type: 'error', message: 'parrot: answered 400' });
    expect((await spending()).spending).toMatchObject([{ calls: 1, failed_calls: 1, cost: 0 }]);
  });

  it('spends no more than its budget of the day', async () => {
    await enable(await judge({ num_judges: 1 }), { daily_budget: 1 });
    for (const output of ['a', 'b']) await ended(await log({ output }), { status_type: 'success' });
    const message = 'the budget of 1 US dollars a day for this scorer is spent';
    await ended(await log({ output: 'c' }), { status_type: 'error', message });
    expect((await spending()).total_cost).toBe(1);
  });

  it('uses the integrations of whoever enabled it, and says when there are none', async () => {
    const eve = await person(server);
    await ada.request('POST', `${at}/users`, [{ user_id: eve.id, role: 'editor' }]);
    await enable(await judge({ num_judges: 1 }), {}, eve);
    await ended(await log({ output: 'x' }), { status_type: 'failed', message: 'no integration offers the model "judge-1"' });
    expect(asked).toEqual([]);
  });

  it('uses no integration of somebody who has left the project', async () => {
    const eve = await person(server);
    await eve.request('PUT', '/v2/integrations/parrot', { token: 'of-eve' });
    await ada.request('POST', `${at}/users`, [{ user_id: eve.id, role: 'editor' }]);
    await enable(await judge({ num_judges: 1 }), {}, eve);
    await ended(await log({ output: 'x' }), { status_type: 'success' });
    expect(asked.map(({ token }) => token)).toEqual(['of-eve']);
    expect((await ada.request('DELETE', `${at}/users/${eve.id}`)).status).toBe(200);
    const message = 'who enabled the scorer does not see the project any more: enable it anew';
    // The role is believed for some seconds.
    await eventually(async () => ended(await log({ output: randomUUID() }), { status_type: 'failed', message }));
  });

  it('knows what judging again would cost', async () => {
    const id = await judge({ num_judges: 1 });
    await enable(id);
    for (const output of ['a', 'b', 'c']) await ended(await log({ output }), { status_type: 'success' });
    const body = { log_stream_id: run_id, scorer_ids: [id], dry_run: true };
    expect((await ada.request('POST', `${at}/recompute-metrics`, body)).body).toMatchObject({ records: 3, estimated_cost: 1.5 });
  });
});
