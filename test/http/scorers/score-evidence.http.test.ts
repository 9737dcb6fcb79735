import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PluginError } from '../../../core/plugin-sdk/index.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { parrotProvider } from './scorer-fixture.ts';

let answer: () => string;
let asked: string[];

const model = parrotProvider(({ token }) => {
  asked.push(token);
  return answer();
});

let server: TestServer;
let ada: Person;
let project_id: string;
let run_id: string;
beforeEach(async () => {
  asked = [];
  answer = () => '{"rating": true}';
  server = await startTestServer({ modelProviders: [model] });
  ada = await person(server);
  project_id = (await ada.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  run_id = (await ada.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' })).body.id;
  await ada.request('PUT', '/v2/integrations/parrot', { token: 'of-ada' });
});
afterEach(() => server.close());

const path = (rest: string) => `/v2/projects/${project_id}${rest}`;
const log = async (...traces: object[]): Promise<string[]> =>
  (await ada.request('POST', path('/traces'), { log_stream_id: run_id, traces })).body.trace_ids;
const enable = async (id: string): Promise<void> => {
  const { status } = await ada.request('POST', path(`/runs/${run_id}/scorer-settings`), { scorers: [{ id, name: 'metric' }] });
  expect(status).toBe(200);
};

async function judge(): Promise<string> {
  const scorer = { name: `polite ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types: ['trace'] };
  const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
  const version = { model_name: 'judge-1', num_judges: 3, user_prompt: 'Is this polite? {{output}}' };
  expect((await server.request('POST', `/v2/scorers/${id}/version/llm`, version)).status).toBe(200);
  return id;
}

async function code(program: string): Promise<string> {
  const scorer = { name: `code ${randomUUID()}`, scorer_type: 'code', scoreable_node_types: ['trace'] };
  const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
  const form = new FormData();
  form.set('file', new Blob([program]), 'scorer.js');
  expect((await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form })).status).toBe(200);
  return id;
}

/** Where the calls of the only score of a record are, and its replay. */
async function scoreOf(record_id: string): Promise<{ at: string; version: string }> {
  const [score] = await eventually(async () => {
    const { body } = await ada.request('GET', path(`/runs/${run_id}/records/${record_id}/scores`));
    expect(body.scores).toHaveLength(1);
    return body.scores;
  });
  const version = score.scorer_version_id as string;
  return { at: path(`/runs/${run_id}/records/${record_id}/scores/${version}`), version };
}

describe('the evidence of a judge’s score', () => {
  it('is every question as it was sent and every answer as it was written', async () => {
    await enable(await judge());
    const [id] = await log({ input: 'x', output: 'Would you kindly?' });
    const { at } = await scoreOf(id!);
    const { status, body } = await ada.request('GET', `${at}/calls`);
    expect(status).toBe(200);
    expect(body.is_of_score).toBe(true);
    expect(body.calls.map(({ judge }: { judge: number }) => judge).toSorted()).toEqual([0, 1, 2]);
    for (const call of body.calls) {
      expect(call).toMatchObject({
        ...{ model_alias: 'judge-1', model: 'judge-1-2026-01-01', answer: '{"rating": true}', finish_reason: 'stop' },
        ...{ input_tokens: 10, output_tokens: 2, cost: 0.5, cached: false, is_cut: false, failure: null },
      });
      expect(JSON.stringify(call.messages)).toContain('Would you kindly?');
      expect(JSON.stringify(call.messages)).toContain('Is this polite?');
    }
  });

  it('says of each record what was asked about it, where many are judged in one batch', async () => {
    await enable(await judge());
    const outputs = ['the first', 'the second', 'the third'];
    const ids = await log(...outputs.map((output) => ({ input: 'x', output })));
    for (const [at, id] of ids.entries()) {
      const { calls } = (await ada.request('GET', `${(await scoreOf(id)).at}/calls`)).body;
      expect(calls).toHaveLength(3);
      for (const call of calls) expect(JSON.stringify(call.messages)).toContain(outputs[at]);
    }
  });

  it('shows a replay beside it that asks the model anew, stores nothing, and is paid by who asked for it', async () => {
    await enable(await judge());
    const [id] = await log({ input: 'x', output: 'yes please' });
    const { at } = await scoreOf(id!);
    answer = () => '{"rating": false}';
    asked = [];
    const { status, body } = await ada.request('POST', `${at}/replay`, {});
    expect(status).toBe(200);
    expect(asked).toEqual(['of-ada', 'of-ada', 'of-ada']);
    expect(body).toMatchObject({
      ...{ is_equal: false, has_record_changed: false, score: { value: true }, replayed: { value: false, cost: 1.5 } },
      calls_before: [{ answer: '{"rating": true}' }, {}, {}],
      calls: [{ answer: '{"rating": false}', cached: false }, {}, {}],
    });
    expect(body.differences).toContain('value');
    const { scores } = (await ada.request('GET', path(`/runs/${run_id}/records/${id}/scores`))).body;
    expect(scores).toMatchObject([{ value: true, times_scored: 1 }]);
    expect((await ada.request('GET', `${at}/calls`)).body.calls[0].answer).toBe('{"rating": true}');
  });

  it('says why a judge gave no answer', async () => {
    await enable(await judge());
    const [id] = await log({ input: 'x', output: 'yes please' });
    const { at } = await scoreOf(id!);
    answer = () => {
      throw new PluginError('unsupported', 'the key is not good any more');
    };
    const { status, body } = await ada.request('POST', `${at}/replay`, {});
    expect([status, body.replayed?.status_type]).toEqual([200, 'error']);
    expect(body.calls[0]).toMatchObject({ answer: null, failure: 'the key is not good any more' });
  });
});

describe('the replay of a score by code', () => {
  it('is equal for 1,000 scores of 1,000', async () => {
    await enable(await code('function scorer(record) { return record.output.length * 0.1 + Math.sqrt(record.input.length); }'));
    const ids = await log(
      ...Array.from({ length: 1_000 }, (_, at) => ({ input: 'i'.repeat(at + 1), output: 'o'.repeat(3 * at) })),
    );
    const replays: Awaited<ReturnType<Person['request']>>[] = [];
    for (const id of ids) replays.push(await ada.request('POST', `${(await scoreOf(id)).at}/replay`, {}));
    const expected = { is_equal: true, differences: [], has_record_changed: false, calls: [], calls_before: [] };
    const [first] = replays;
    expect(first?.body.definition_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(replays.map(({ body }) => body.score.value)).size).toBe(1_000);
    for (const { status, body } of replays) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ ...expected, definition_sha256: first?.body.definition_sha256 });
    }
  });

  it('names what is different for a program that throws dice', async () => {
    await enable(await code('function scorer() { return Math.random(); }'));
    const [id] = await log({ input: 'x', output: 'y' });
    const { body } = await ada.request('POST', `${(await scoreOf(id!)).at}/replay`, {});
    expect(body).toMatchObject({ is_equal: false, differences: ['value'] });
  });

  it('is refused where there is no score, and where the scorer is not enabled any more', async () => {
    const id = await code('function scorer() { return 1; }');
    await enable(id);
    const [record] = await log({ input: 'x', output: 'y' });
    const { at, version } = await scoreOf(record!);
    const nowhere = await ada.request('POST', `${at.replace(version, randomUUID())}/replay`, {});
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'score_not_found']);
    const session = await ada.request('GET', `${at}/calls?of=session`);
    expect([session.status, session.body.code]).toEqual([404, 'score_not_found']);
    expect((await ada.request('POST', path(`/runs/${run_id}/scorer-settings`), { scorers: [] })).status).toBe(200);
    const gone = await ada.request('POST', `${at}/replay`, {});
    expect([gone.status, gone.body.code]).toEqual([409, 'replay_scorer_gone']);
  });
});
