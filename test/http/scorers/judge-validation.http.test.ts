import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CompletionRequest, defineModelProvider, PluginError, Token, z } from '../../../core/plugin-sdk/index.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { scorerFixture } from './scorer-fixture.ts';

/** Next reply of the model; the requests are in `asked`. */
let says: (request: CompletionRequest) => unknown;
let asked: CompletionRequest[];
const provider = defineModelProvider({
  id: 'a_judge',
  sdk: 1,
  stability: 'experimental',
  label: 'A judge',
  summary: 'A provider of the test.',
  settings: z.strictObject({ token: Token }),
  create: () => ({
    complete: async (request) => {
      asked.push(request);
      const answer = says(request);
      if (answer instanceof Error) throw answer;
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { text, usage: { input_tokens: 7, output_tokens: 3 }, finish_reason: 'stop', model: request.model };
    },
    models: async () => [{ name: 'judge-1', for_scorers: true }],
    check: async () => {},
  }),
});

let server: TestServer;
beforeEach(async () => {
  asked = [];
  server = await startTestServer({ modelProviders: [provider] });
  await server.request('PUT', '/v2/integrations/a_judge', { token: 'sk-judge' });
});
afterEach(() => server.close());
const fixture = scorerFixture(() => server);

const start = async (path: string, body: object): Promise<string> => {
  const reply = await server.request('POST', `/v2/scorers/llm/${path}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.task_result_id;
};
const ended = async (path: string, task_id: string) => {
  const poll = async () => (await server.request('GET', `/v2/scorers/llm/${path}/${task_id}`)).body;
  await expect.poll(async () => (await poll()).status).toMatch(/completed|failed/);
  return poll();
};
const configuration = { model_alias: 'judge-1', num_judges: 1, output_type: 'boolean', scoreable_node_types: ['trace'] };
const chain_poll_template = { template: 'Polite? {{output}}' };

describe('trying a judge', () => {
  it('asks it about the texts that are given', async () => {
    says = () => ({ explanation: 'it says please', rating: true });
    const trial = {
      query: 'Say hello',
      response: 'Hello, please',
      chain_poll_template,
      user_prompt: 'x',
      scorer_configuration: configuration,
    };
    const task = await ended('validate', await start('validate', trial));
    expect(task).toMatchObject({
      status: 'completed',
      result: { result: { result_type: 'valid', score_type: 'bool', test_scores: [{ node_type: 'trace', score: true }] } },
    });
    expect(JSON.stringify(asked[0]!.messages)).toContain('Hello, please');
    expect((await server.request('GET', `/scorers/code/validate/${task.id}`)).body).toEqual(task);
  });

  it('tells why it cannot judge', async () => {
    says = () => new PluginError('unsupported', 'a_judge: answered 400');
    const trial = { user_prompt: 'Polite?', scorer_configuration: configuration };
    const refused = await ended('validate', await start('validate', trial));
    expect(refused.result.result).toMatchObject({ result_type: 'invalid', error_message: expect.stringMatching(/\w/) });
    const unknown = { ...trial, scorer_configuration: { ...configuration, model_alias: 'nobody-has-it' } };
    const task = await ended('validate', await start('validate', unknown));
    expect(task.result.result.error_message).toMatch(/nobody-has-it/);
    const wrong = await server.request('POST', '/v2/scorers/llm/validate', { user_prompt: '{{nothing}}' });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'definition_invalid' } });
  });

  it('on records scores copies of them', async () => {
    says = ({ messages }) => ({ explanation: 'because', rating: /good/.test(JSON.stringify(messages)) });
    const run = await fixture.run();
    for (const output of ['good', 'bad']) await run.log('q', { output });
    const body = {
      log_stream_id: run.run_id,
      filters: [],
      limit: 10,
      query: '',
      response: '',
      chain_poll_template,
      user_prompt: 'x',
      scorer_configuration: configuration,
    };
    const { body: trial, status } = await server.request('POST', '/v2/scorers/llm/validate/log_record', body);
    expect(status, JSON.stringify(trial)).toBe(200);
    const metrics_testing_id = trial.metrics_experiment_id;
    const values = async () => {
      const found = await server.request('POST', `/v2/projects/${run.project_id}/traces/search`, { metrics_testing_id });
      return found.body.records.map(
        (one: { metric_info: Record<string, { value: unknown }> }) => one.metric_info.generated_scorer_validation?.value,
      );
    };
    await expect.poll(async () => (await values()).sort()).toEqual([false, true]);
  });
});

describe('having a judge written', () => {
  const written = {
    metric_system_prompt: 'You judge politeness.',
    metric_description: 'true: polite. false: rude.',
    template: 'Polite? {{input}} {{output}}',
  };
  const request = {
    instructions: 'Is the answer polite?',
    model_name: 'judge-1',
    output_type: 'boolean',
    cot_enabled: true,
    scoreable_node_types: ['llm'],
  };

  it('returns prompts that make a version', async () => {
    says = () => `Here you are:\n${JSON.stringify(written)}`;
    const task = await ended('autogen', await start('autogen', request));
    const { result_type, ...version } = task.result.result;
    expect(version).toMatchObject({
      chain_poll_template: written,
      model_name: 'judge-1',
      output_type: 'boolean',
      cot_enabled: true,
    });
    expect(JSON.stringify(asked[0]!.messages)).toContain('Is the answer polite?');
    const { id } = await fixture.create({ scorer_type: 'llm' });
    const made = await server.request('POST', `/v2/scorers/${id}/version/llm`, version);
    expect(made).toMatchObject({ status: 200, body: { chain_poll_template: { template: written.template } } });
  });

  it('asks once more when the answer cannot be used, and then gives up', async () => {
    says = () => (asked.length === 1 ? { ...written, template: '{{nothing}}' } : written);
    const task = await ended('autogen', await start('autogen', request));
    expect(task.result.result.chain_poll_template).toEqual(written);
    expect(JSON.stringify(asked[1]!.messages)).toContain('nothing');
    says = () => 'I would rather not.';
    const failed = await ended('autogen', await start('autogen', request));
    expect(failed).toMatchObject({ status: 'failed', result: expect.stringMatching(/wrote nothing that can be used/) });
  });

  it('fails with a reason when the caller has no such model', async () => {
    const failed = await ended('autogen', await start('autogen', { ...request, model_name: 'nobody-has-it' }));
    expect(failed).toMatchObject({ status: 'failed', result: expect.any(String) });
    const ann = await person(server);
    expect((await ann.request('GET', `/v2/scorers/llm/autogen/${failed.id}`)).status).toBe(404);
    expect((await server.request('POST', '/v2/scorers/llm/autogen', { instructions: 'x' })).status).toBe(422);
  });
});
