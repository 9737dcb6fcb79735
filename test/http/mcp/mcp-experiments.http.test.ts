import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeProvider, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import { value } from '../../../testing/index.ts';
import { eventually } from '../../setup/timing.ts';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

const ANSWER = JSON.parse(readFileSync('plugins/model-providers/custom/replies/answer.json', 'utf8')) as { body: object };
/** More than a reply of a tool is allowed to have. */
const LONG = 'x'.repeat(200_000);
const MAX_CHARS = 61_000;

let fake: FakeProvider;
let server: TestServer;
let project_id: string;
let log_stream_id: string;
let trace_id: string;
let dataset: { readonly id: string; readonly current_version_index: number };
let baseline_id: string;
let candidate_id: string;
let scorer_id: string;
let prompt_version_id: string;
const clients: Client[] = [];

async function connect(api_key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'service-api-key': api_key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: args });
  const text = (result.content as { text: string }[])[0]?.text ?? '';
  const [, nonce] = /^<data (\S+)>$/m.exec(text) ?? [];
  const json = nonce === undefined ? undefined : text.split(`<data ${nonce}>\n`)[1]!.split(`\n</data ${nonce}>`)[0]!;
  return { isError: result.isError === true, text, found: json === undefined ? undefined : JSON.parse(json) };
}

async function post(path: string, body: object) {
  const reply = await server.request('POST', path, body);
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(200);
  return reply.body;
}

async function addExperiment(quality: number): Promise<string> {
  const { id } = await post(`/v2/projects/${project_id}/experiments`, { name: `e ${randomUUID()}` });
  const traces = ['a', 'b', 'c'].map((input) => ({
    input,
    output: LONG,
    dataset_input: input,
    metrics: { quality, duration_ns: 7 },
  }));
  await post(`/v2/projects/${project_id}/traces`, { experiment_id: id, traces });
  return id;
}

beforeAll(async () => {
  fake = await startFakeProvider();
  fake.answer = () => ({ body: JSON.stringify(ANSWER.body) });
  server = await startTestServer({ overrides: { outbound: value({ fetch: fake.fetch, allows: async () => true }) } });
  const models = { endpoint: 'https://models.example.org/v1', models: ['m-1'], authentication_type: 'none' };
  expect((await server.request('PUT', '/v2/integrations/custom', models)).status).toBe(200);
  project_id = (await post('/v2/projects', { name: 'Atlas' })).id;
  log_stream_id = (await post(`/v2/projects/${project_id}/log_streams`, { name: 'default' })).id;
  const logged = await post(`/v2/projects/${project_id}/traces`, {
    log_stream_id,
    traces: [{ input: LONG, output: LONG, status_code: 500, spans: [{ type: 'tool', name: 'pay', input: LONG, output: LONG }] }],
  });
  trace_id = logged.trace_ids[0];
  dataset = (await makeDataset(server, [{ input: LONG }, { input: 'b' }])) as never;
  [baseline_id, candidate_id] = [await addExperiment(0.25), await addExperiment(0.75)];
  const scorer = { name: 'fit', scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'percentage' };
  scorer_id = (await post('/v2/scorers', scorer)).id;
  const made = await post('/v2/templates', { name: 'question', template: 'Good? {{input}}' });
  prompt_version_id = made.selected_version_id ?? made.selected_version.id;
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await server.close();
  await fake.close();
});

/** Every tool with arguments that it has something to say to; a new tool gets a row. */
const calls = (): Record<string, Record<string, unknown>> => ({
  list_projects: {},
  list_log_streams: { project_id },
  find_traces: { project_id, log_stream_id },
  search_text: { text: 'pay', project_id },
  read_trace: { project_id, trace_id },
  list_columns: { project_id, log_stream_id },
  why_did_it_fail: { project_id, trace_id },
  list_insights: { project_id, log_stream_id },
  list_datasets: {},
  read_dataset: { dataset_id: dataset.id },
  list_experiments: { project_id },
  run_experiment: {
    ...{ project_id, name: 'by an assistant', dataset_id: dataset.id, dataset_version_index: dataset.current_version_index },
    ...{ prompt_template_version_id: prompt_version_id, prompt_settings: { model_alias: 'm-1' } },
  },
  compare_experiments: { project_id, baseline_id, candidate_id, metric: 'quality' },
  list_scorers: {},
  scorer_health: { scorer_id, dataset_id: dataset.id },
});

describe('every tool of the Model Context Protocol', () => {
  it('does what it is called for, within bounds, and marks what it returns as data', async () => {
    const client = await connect(ADMIN.api_key);
    const { tools } = await client.listTools();
    expect(Object.keys(calls()).sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const [name, args] of Object.entries(calls())) {
      const { isError, text, found } = await call(client, name, args);
      expect([name, isError, text.slice(0, 200)]).toEqual([name, false, expect.stringMatching(/^Recorded data follows/)]);
      expect([name, text.length < MAX_CHARS, found !== undefined]).toEqual([name, true, true]);
    }
  });

  it('gives a stranger nothing of what is not theirs, and starts nothing for them', async () => {
    const stranger = await connect((await person(server)).api_key);
    const asked = fake.seen.length;
    for (const [name, args] of Object.entries(calls())) {
      if ('project_id' in args || 'dataset_id' in args) {
        const { isError, text } = await call(stranger, name, args);
        expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/not_found|forbidden|role_too_low/)]);
      } else {
        const { found } = await call(stranger, name, args);
        expect([name, JSON.stringify(found).includes(project_id), JSON.stringify(found).includes(dataset.id)]).toEqual([
          name,
          false,
          false,
        ]);
      }
    }
    expect(fake.seen).toHaveLength(asked);
  });
});

describe('the tools for experiments', () => {
  it('run one over a dataset by a prompt, whose progress and traces can be read', async () => {
    const client = await connect(ADMIN.api_key);
    const asked = fake.seen.length;
    const { found: started } = await call(client, 'run_experiment', { ...calls().run_experiment, name: 'a run' });
    expect(started).toMatchObject({ name: 'a run', dataset: expect.anything() });
    await eventually(async () => {
      await server.settled();
      const { found } = await call(client, 'find_traces', { project_id, experiment_id: started.id });
      expect(found.traces).toHaveLength(2);
    });
    expect(fake.seen.length - asked).toBeGreaterThanOrEqual(2);
    const { found: listed } = await call(client, 'list_experiments', { project_id });
    expect(listed.experiments).toContainEqual(expect.objectContaining({ id: started.id, num_traces: 2, progress_percent: 1 }));
  });

  it('compare two by their rows, and say how far a scorer is to be trusted', async () => {
    const client = await connect(ADMIN.api_key);
    const { found } = await call(client, 'compare_experiments', { project_id, baseline_id, candidate_id, metric: 'quality' });
    expect(found).toMatchObject({ joined_rows: 3, metric: 'quality' });
    expect(found.metrics).toContainEqual(expect.objectContaining({ name: 'quality', mean_difference: 0.5 }));
    const { found: scorers } = await call(client, 'list_scorers', {});
    expect(JSON.stringify(scorers)).toContain(scorer_id);
    expect((await call(client, 'scorer_health', { scorer_id, dataset_id: dataset.id })).isError).toBe(false);
  });
});
