import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CompletionRequest, defineModelProvider, PluginError, Token, z } from '../../../core/plugin-sdk/index.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { makeDataset } from './dataset-fixture.ts';

/** Next reply of the model; the request is in `asked`. */
let says: (call: number) => unknown;
let asked: CompletionRequest[];
const writer = defineModelProvider({
  id: 'writer_of_rows',
  sdk: 1,
  stability: 'experimental',
  label: 'Writer of rows',
  summary: 'A provider of the test.',
  settings: z.strictObject({ token: Token }),
  create: () => ({
    complete: async (request) => {
      asked.push(request);
      const answer = says(asked.length);
      if (answer instanceof Error) throw answer;
      const text = typeof answer === 'string' ? answer : JSON.stringify({ rows: answer });
      return { text, usage: {}, finish_reason: 'stop', model: request.model };
    },
    models: async () => [{ name: 'rows-1', alias: 'Rows', for_scorers: true }],
    check: async () => {},
  }),
});

let server: TestServer;
let ada: Person;
beforeEach(async () => {
  asked = [];
  server = await startTestServer({ modelProviders: [writer] });
  ada = await person(server);
  await ada.request('PUT', '/v2/integrations/writer_of_rows', { token: 'sk-rows' });
});
afterEach(() => server.close());

const numbered = (call: number) => Array.from({ length: 10 }, (_, at) => ({ input: `question ${10 * (call - 1) + at + 1}` }));
const extend = (body: object, who = ada) => who.request('POST', '/v2/datasets/extend', body);
const progress = (id: string) => ada.request('GET', `/v2/datasets/extend/${id}`);
const inputs = async (id: string) =>
  (await ada.request('GET', `/v2/datasets/${id}/content?limit=1000`)).body.rows.map(
    ({ values_dict }: { values_dict: { input: string } }) => values_dict.input,
  );

async function filled(id: string) {
  await eventually(async () => {
    const { body } = await progress(id);
    expect(body.steps_completed).toBe(body.steps_total);
  });
  return (await progress(id)).body;
}

describe('a dataset of rows that a model makes up', () => {
  it('is there at once, and filled once its steps are equal', async () => {
    says = numbered;
    const { status, body } = await extend({ count: 23, prompt_settings: { model_alias: 'Rows' } });
    expect(status).toBe(200);
    const done = await filled(body.dataset_id);
    expect(done).toMatchObject({ steps_completed: 24, steps_total: 24, progress_message: '23 of 23 rows' });
    expect(await inputs(body.dataset_id)).toEqual(Array.from({ length: 23 }, (_, at) => `question ${at + 1}`));
    expect(asked).toHaveLength(3);
    const { body: dataset } = await ada.request('GET', `/v2/datasets/${body.dataset_id}`);
    expect(dataset).toMatchObject({ name: 'synthetic data', num_rows: 23, current_version_index: 2 });
  });

  it('follows the columns and rows of its source, the description, and the kinds that were asked for', async () => {
    const tides = [
      { input: 'When is high tide?', output: 'At noon' },
      { input: 'And low tide?', output: 'At six' },
    ];
    const { id: source } = await makeDataset(server, tides, { name: 'tides' });
    await server.request('POST', `/v2/datasets/${source}/users`, [{ user_id: ada.id, role: 'editor' }]);
    const { rows } = (await ada.request('GET', `/v2/datasets/${source}/content`)).body;
    says = () => [
      { input: 'and  LOW tide?', output: 'is there already' },
      { input: 'Is it safe to sail?', output: 'Yes' },
    ];
    const { body } = await extend({
      count: 1,
      prompt: 'You answer questions about the harbour.',
      instructions: 'Short ones.',
      examples: ['Who keeps the lighthouse?'],
      source_dataset: { dataset_id: source, row_ids: [rows[1].row_id] },
      data_types: ['Prompt Injection'],
    });
    await filled(body.dataset_id);
    expect(await inputs(body.dataset_id)).toEqual(['Is it safe to sail?']);
    const question = asked[0]!.messages[0]!.content;
    for (const part of ['about the harbour', 'Short ones.', 'lighthouse', 'And low tide?', 'Prompt Injection', '"output"'])
      expect(question).toContain(part);
    expect(question).not.toContain('high tide');
    const { body: dataset } = await ada.request('GET', `/v2/datasets/${body.dataset_id}`);
    expect(dataset).toMatchObject({ name: 'tides extended', column_names: ['input', 'output'] });
  });

  it('has fewer rows when the model has no other ones, and says so', async () => {
    says = () => [{ input: 'always the same' }];
    const { body } = await extend({ count: 5 });
    expect((await filled(body.dataset_id)).progress_message).toMatch(/^1 of 5 rows; /);
    expect(await inputs(body.dataset_id)).toEqual(['always the same']);
  });

  it('passes by answers that cannot be read', async () => {
    says = (call) => (call < 3 ? 'I would rather not.' : '```json\n{"rows":[{"input":"at last"}]}\n```');
    const { body } = await extend({ count: 1 });
    await filled(body.dataset_id);
    expect(await inputs(body.dataset_id)).toEqual(['at last']);
  });

  it('keeps the rows that were made when the provider fails for good', async () => {
    says = (call) => (call === 1 ? numbered(1) : new PluginError('credentials_rejected', 'no'));
    const { body } = await extend({ count: 20 });
    expect((await filled(body.dataset_id)).progress_message).toBe('10 of 20 rows; the provider refused the credentials');
    expect(await inputs(body.dataset_id)).toHaveLength(10);
  });

  it('goes on after a failure that passes', async () => {
    says = (call) => (call === 2 ? new PluginError('rate_limited', 'later') : numbered(call));
    const { body } = await extend({ count: 20 });
    await filled(body.dataset_id);
    expect(await inputs(body.dataset_id)).toHaveLength(20);
  });

  it('ends its wait when the work fails', async () => {
    says = () => new PluginError('unsupported', 'no');
    const { body } = await extend({ count: 20 });
    await eventually(async () => expect((await ada.request('GET', `/v2/jobs/${body.dataset_id}`)).body.status).toBe('failed'));
    const { body: done } = await progress(body.dataset_id);
    expect(done).toMatchObject({ steps_completed: 0, steps_total: 0 });
    expect(done.progress_message).toContain('provider');
  });

  it('is refused without a model, of a source that is not there, and of rows that are not', async () => {
    says = numbered;
    const eve = await person(server);
    expect(await extend({ count: 1 }, eve)).toMatchObject({ status: 400, body: { code: 'model_not_configured' } });
    const unknown = await extend({ prompt_settings: { model_alias: 'nothing' } });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'provider_refused' } });
    expect((await extend({ source_dataset: { dataset_id: randomUUID() } })).status).toBe(404);
    const { dataset_id } = (await extend({ count: 1 })).body;
    await filled(dataset_id);
    const rowless = await extend({ source_dataset: { dataset_id, row_ids: [randomUUID()] } });
    expect(rowless).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'source_dataset', 'row_ids', 0] }] } });
    expect((await extend({ count: 0 })).status).toBe(422);
  });
});
