import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CompletionRequest, defineModelProvider, PluginError, z } from '../../../core/plugin-sdk/index.ts';
import { eventually } from '../../setup/timing.ts';
import { makeDataset, rowsIn } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';

const asked: CompletionRequest[] = [];
let answer: (request: CompletionRequest) => string | Promise<string>;
const echo = defineModelProvider({
  id: 'echo',
  sdk: 1,
  stability: 'experimental',
  label: 'Echo',
  summary: 'A model of the tests.',
  settings: z.strictObject({ token: z.string() }),
  create: () => ({
    complete: async (request) => {
      asked.push(request);
      const text = await answer(request);
      return { text, usage: { input_tokens: 3, output_tokens: 2 }, finish_reason: 'stop', model: 'echo-1' };
    },
    models: async () => [{ name: 'echo-1', alias: 'Echo', for_scorers: true }],
    check: async () => {},
  }),
});

/** Machines that run tests may be busy. */

let server: TestServer;
let project_id: string;
beforeAll(async () => {
  server = await startTestServer({ modelProviders: [echo] });
  project_id = (await server.request('POST', '/v2/projects', { name: `p ${randomUUID()}` })).body.id;
  expect((await server.request('PUT', '/v2/integrations/echo', { token: 'a' })).status).toBe(200);
});
afterAll(() => server.close());
beforeEach(() => {
  asked.length = 0;
  answer = ({ messages }) => `echo ${messages.at(-1)!.content}`;
});

const ROWS = [
  { input: 'one', output: 'eins', metadata: '{"lang":"de","dataset_row_id":"forged"}' },
  { input: 'two', output: 'zwei', metadata: 'no map' },
  { input: 'three', output: null, metadata: null },
];
async function fixture(rows: readonly Record<string, string | null>[] = ROWS, template: unknown = 'hello {{input}}') {
  const dataset = await makeDataset(server, rows, { project_id });
  const made = await server.request('POST', '/v2/templates', { name: randomUUID(), template, settings: { model_alias: 'Echo' } });
  const prompt_template_version_id: string = made.body.selected_version_id;
  const of = { dataset: { dataset_id: dataset.id, version_index: 1 } };
  const experiment = (await server.request('POST', `/v2/projects/${project_id}/experiments`, { name: randomUUID(), ...of })).body;
  const job = {
    job_name: 'playground_run',
    project_id,
    run_id: experiment.id as string,
    prompt_template_version_id,
    prompt_settings: { temperature: 0.25, max_tokens: null },
    dataset_id: dataset.id,
    scorers: null,
    task_type: 16,
  };
  return { dataset, job, run_id: experiment.id as string };
}
async function ran(job: object) {
  const started = await server.request('POST', '/v2/jobs', job);
  expect(started.status).toBe(200);
  return ended(started.body.job_id);
}
const ended = (job_id: string) =>
  eventually(async () => {
    const { body } = await server.request('GET', `/v2/jobs/${job_id}`);
    expect(['completed', 'failed']).toContain(body.status);
    return body;
  });
async function getTraces(experiment_id: string) {
  const sort = { column_id: 'dataset_input', ascending: true };
  const { body } = await server.request('POST', `/v2/projects/${project_id}/traces/search`, { experiment_id, sort });
  return body.records;
}
const shown = async (experiment_id: string) =>
  (await server.request('GET', `/v2/projects/${project_id}/experiments/${experiment_id}`)).body;

describe('a prompt that is run over a dataset', () => {
  it('makes a trace with a model call for each row', async () => {
    const { dataset, job, run_id } = await fixture();
    expect(await ran(job)).toMatchObject({ status: 'completed', steps_completed: 3, steps_total: 3, progress_percent: 100 });
    const [one, three, two] = await getTraces(run_id);
    const rows = await rowsIn(server, dataset.id);
    expect(one).toMatchObject({
      input: 'one',
      output: 'echo hello one',
      dataset_input: 'one',
      dataset_output: 'eins',
      dataset_metadata: { lang: 'de', dataset_row_id: rows[0]!.row_id },
      status_code: 200,
      is_complete: true,
    });
    expect(two.dataset_metadata).toEqual({ dataset_row_id: rows[1]!.row_id });
    expect(three).toMatchObject({ dataset_output: null, output: 'echo hello three' });
    const tree = (await server.request('GET', `/v2/projects/${project_id}/traces/${one.id}`)).body;
    expect(tree.spans).toMatchObject([
      {
        type: 'llm',
        input: [{ role: 'user', content: 'hello one' }],
        output: { role: 'assistant', content: 'echo hello one' },
        model: 'echo-1',
        temperature: 0.25,
        metrics: { num_input_tokens: 3, num_output_tokens: 2, num_total_tokens: 5 },
      },
    ]);
    expect(asked[0]).toMatchObject({ model: 'echo-1', temperature: 0.25, labels: { project_id, run_id } });
    expect(asked[0]).not.toHaveProperty('max_tokens');
    expect(await shown(run_id)).toMatchObject({
      prompt: { version_index: 1, content: 'hello {{input}}' },
      prompt_model: 'Echo',
      prompt_run_settings: { model_alias: 'Echo', temperature: 0.25 },
      num_traces: 3,
      status: { log_generation: { progress_percent: 1 } },
    });
  });

  it('sends messages with their roles, and system messages apart', async () => {
    const template = [
      { role: 'system', content: 'Be {{output}}.' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: [{ type: 'text', text: '{{input}} {{nothing}}' }] },
    ];
    const { job } = await fixture([{ input: 'x', output: 'kind' }], template);
    await ran(job);
    expect(asked[0]).toMatchObject({
      system: 'Be kind.',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'x {{nothing}}' },
      ],
    });
  });

  it('goes on past rows that fail, and tries those alone again', async () => {
    const { job, run_id } = await fixture();
    answer = ({ messages }) => {
      if (messages[0]!.content.endsWith('two')) throw new PluginError('unsupported', 'echo: answered 400');
      return 'fine';
    };
    expect(await ran(job)).toMatchObject({ status: 'completed' });
    const [, , two] = await getTraces(run_id);
    expect(two).toMatchObject({ status_code: 400, output: null, user_metadata: { error_message: 'echo: answered 400' } });
    asked.length = 0;
    answer = () => 'mended';
    expect(await ran(job)).toMatchObject({ status: 'completed' });
    expect(asked).toHaveLength(1);
    const traces = await getTraces(run_id);
    expect(traces.map(({ output }: { output: string }) => output)).toEqual(['fine', 'fine', 'mended']);
    expect(traces[2]).toMatchObject({ status_code: 200, user_metadata: {} });
  });

  it('goes on after a worker that died, with no row twice', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => ({ input: `row ${String(at).padStart(3, '0')}` }));
    const { job, run_id } = await fixture(rows);
    const dying = new AbortController();
    const { jobs, jobStore, jobRunner } = server.cradle;
    let calls = 0;
    answer = ({ messages }) => {
      calls += 1;
      if (calls === 70) dying.abort(new Error('killed'));
      return messages[0]!.content;
    };
    const handler = server.cradle.jobHandlers.find(({ job_name }) => job_name === 'playground_run')!;
    const host = await server.cradle.accessStore.findUserByEmail('admin@example.org');
    const caller = { user_id: host!.id, email: host!.email, role: 'admin', scheme: 'api_key' } as const;
    const limits = {
      api_key_id: null,
      project_id: null,
      max_role: null,
      purpose: null,
      origin: { request_id: 'r', address: 'a' },
    };
    const wanted = await handler.prepare!({ ...caller, ...limits }, job);
    const held = vi.spyOn(server.cradle.jobStore, 'begin').mockResolvedValue(undefined);
    const { id } = await jobs.start(wanted);
    await eventually(() => expect(held).toHaveBeenCalled());
    held.mockRestore();
    await expect(jobRunner.run({ job_id: id }, dying.signal)).rejects.toThrow('killed');
    const before = (await jobStore.find(id))!;
    expect(before).toMatchObject({ status: 'processing', state: { rows_done: 50 } });
    await jobRunner.run({ job_id: id }, new AbortController().signal);
    expect(await jobStore.find(id)).toMatchObject({ status: 'completed', retries: 1, result: { rows: 120, failed: 0 } });
    const search = { experiment_id: run_id, limit: 1000 };
    const { body } = await server.request('POST', `/v2/projects/${project_id}/traces/search`, search);
    const inputs = body.records.map(({ dataset_input }: { dataset_input: string }) => dataset_input).sort();
    expect(inputs).toEqual(rows.map(({ input }) => input));
    expect(await shown(run_id)).toMatchObject({ num_traces: 120, num_spans: 120 });
    expect(calls).toBeLessThan(120 + 10);
  });

  it('starts by itself when an experiment is made with trigger', async () => {
    const { dataset, job } = await fixture();
    const body = {
      name: randomUUID(),
      dataset: { dataset_id: dataset.id, version_index: 1 },
      prompt_template_version_id: job.prompt_template_version_id,
      trigger: true,
    };
    const experiments = `/v2/projects/${project_id}/experiments`;
    const made = (await server.request('POST', experiments, body)).body;
    expect(made.status).toEqual({ log_generation: { progress_percent: 0 } });
    const share = async () => (await shown(made.id)).status.log_generation.progress_percent;
    await eventually(async () => expect(await share()).toBe(1));
    expect(await getTraces(made.id)).toHaveLength(3);
    const alone = await server.request('POST', experiments, { name: 'x', trigger: true });
    expect(alone).toMatchObject({ status: 422, body: { code: 'generation_incomplete' } });
    expect(alone.body.detail).toHaveLength(2);
  });

  it('is refused where it cannot run', async () => {
    const { job, run_id } = await fixture();
    const refused = async (more: object) => {
      const { status, body } = await server.request('POST', '/v2/jobs', { ...job, ...more });
      return [status, body.code];
    };
    expect(await refused({ prompt_settings: { temperature: -1 } })).toEqual([422, 'request_invalid']);
    expect(await refused({ prompt_template_version_id: null })).toEqual([422, 'generation_incomplete']);
    expect(await refused({ prompt_template_version_id: randomUUID() })).toEqual([404, 'template_version_not_found']);
    expect(await refused({ dataset_version_index: 9 })).toEqual([404, 'dataset_version_not_found']);
    expect(await refused({ scorers: [{ id: randomUUID() }] })).toEqual([422, 'metric_settings_invalid']);
    const gate = Promise.withResolvers<string>();
    answer = () => gate.promise;
    const { body } = await server.request('POST', '/v2/jobs', job);
    expect(await refused({})).toEqual([409, 'experiment_running']);
    gate.resolve('done');
    await ended(body.job_id);
    expect(await refused({ prompt_settings: { temperature: 1 } })).toEqual([409, 'experiment_has_records']);
    expect(await getTraces(run_id)).toHaveLength(3);
  });

  it('fails as a whole when nobody offers the model', async () => {
    const { job } = await fixture();
    const failed = await ran({ ...job, prompt_settings: { model_alias: 'unheard-of' } });
    expect(failed).toMatchObject({ status: 'failed', error_message: 'no integration offers the model "unheard-of"' });
  });
});
