import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quietProvider } from '../../setup/fake-provider.ts';
import { eventually } from '../../setup/timing.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';

/** The calls of a client that runs an experiment, in its order and with its oddities: see the companion's C6 to C8. */
let server: TestServer;
let authorization: string;
let P: string;
let D: string;
let scorer: { id: string; name: string; scorer_type: string };
/** Machines that run tests may be busy. */
const dataset_name = `d ${randomUUID()}`;

beforeAll(async () => {
  server = await startTestServer({ modelProviders: [quietProvider] });
  const login = await server.request('POST', '/login/api_key', { api_key: ADMIN.api_key });
  authorization = `${login.body.token_type} ${login.body.access_token}`;
  P = (await call('POST', '/projects', { name: 'client', type: 'gen_ai', create_example_templates: false })).id;
  D = (await dataset()).id;
  scorer = await codeScorer();
  await call('PUT', '/integrations/quiet', { token: 'a-token' });
});
afterAll(() => server.close());

/** With a bearer token alone, as this client sends it. */
// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
async function call(method: string, path: string, body?: unknown, init: { headers?: object; raw?: FormData } = {}): Promise<any> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization, 'X-Service-SDK': 'client/1.0', ...type, ...init.headers };
  const sent = init.raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const res = await fetch(server.url + path, { method, headers, ...(sent !== undefined && { body: sent }) });
  const text = await res.text();
  expect(res.status, `${method} ${path}: ${text}`).toBeLessThan(300);
  return text === '' ? undefined : JSON.parse(text);
}

async function dataset() {
  const form = new FormData();
  const fields = { name: dataset_name, project_id: P, draft: 'false', hidden: 'false', append_suffix_if_duplicate: 'false' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const rows = ['one', 'two', 'three'].map((input) =>
    JSON.stringify({ input, output: `${input}!`, metadata: '{"kind":"word"}' }),
  );
  form.append('file', new Blob([rows.join('\n')], { type: 'application/octet-stream' }), dataset_name);
  return call('POST', '/datasets?format=jsonl', undefined, { raw: form });
}

async function codeScorer() {
  const facts = { name: 'is_short', scorer_type: 'code', description: '', tags: [], scoreable_node_types: ['trace'] };
  const { id } = await call('POST', '/scorers', facts);
  const form = new FormData();
  form.append('file', new Blob(['function scorer(record) { return record.input.length < 4; }']), 'scorer.js');
  form.append('validation_result', '{"result":{}}');
  await call('POST', `/scorers/${id}/version/code?scorer_id=${id}`, undefined, { raw: form });
  return { id, name: 'is_short', scorer_type: 'code' };
}

/** Steps 1 to 4: look everything up, make the experiment, tag it. */
async function experimentNamed(name: string): Promise<string> {
  const [project] = await call('GET', '/projects?project_name=client&type=gen_ai');
  expect(project.id).toBe(P);
  const experiments: { name: string }[] = await call('GET', `/projects/${P}/experiments?project_id=${P}`);
  expect(experiments.map((one) => one.name)).not.toContain(name);
  const found = await call('POST', '/datasets/query', { filters: [{ name: 'name', value: dataset_name, operator: 'eq' }] });
  expect(found.datasets).toMatchObject([{ id: D }]);
  const { projects } = await call('GET', `/datasets/${D}/projects?limit=100`);
  expect(projects.map(({ id }: { id: string }) => id)).toContain(P);
  const of = { dataset: { dataset_id: D, version_index: found.datasets[0].current_version_index } };
  const { id: E } = await call('POST', `/projects/${P}/experiments?project_id=${P}`, { name, task_type: 16, ...of });
  const tags = `/projects/${P}/experiments/${E}/tags`;
  for (const value of ['small', 'large']) {
    const [known] = await call('GET', `${tags}?project_id=${P}&experiment_id=${E}`);
    const tag = { key: 'size', value, tag_type: 'generic' };
    if (known) await call('PUT', `${tags}/${known.id}?project_id=${P}`, tag);
    else await call('POST', `${tags}?project_id=${P}`, tag);
  }
  expect((await call('GET', `/projects/${P}/experiments/${E}`)).tags).toMatchObject({ size: [{ value: 'large' }] });
  return E;
}

/** Step 5: scorers by their names, with the version that is pinned. */
async function entries() {
  const filters = [{ name: 'name', value: [scorer.name], operator: 'one_of' }];
  const listed = await call('POST', '/scorers/list?starting_token=0&limit=100', { filters });
  expect(listed).toMatchObject({ scorers: [{ id: scorer.id }], next_starting_token: null });
  const scorer_version = await call('GET', `/scorers/${scorer.id}/version?scorer_id=${scorer.id}&version=1`);
  return [{ ...scorer, scorer_version }];
}

/** Step 6: all pages of the rows. */
interface Row {
  readonly values_dict: Readonly<Record<string, string>>;
}
async function rows(): Promise<Row[]> {
  const all: Row[] = [];
  for (let token: number | null = 0; token !== null; ) {
    const page: { rows: Row[]; next_starting_token: number | null } = await call(
      'GET',
      `/datasets/${D}/content?starting_token=${token}&limit=2`,
    );
    all.push(...page.rows);
    token = page.next_starting_token;
  }
  return all;
}

const judged = (E: string) =>
  eventually(async () => {
    const experiment = await call('GET', `/projects/${P}/experiments/${E}`);
    expect(experiment.aggregate_metrics.is_short).toBeCloseTo(2 / 3, 12);
    return experiment;
  });

describe('a client that runs an experiment', () => {
  it('by functions of its own', async () => {
    const E = await experimentNamed('by functions');
    const body = { run_id: E, scorers: await entries() };
    await call('POST', `/projects/${P}/runs/${E}/scorer-settings?project_id=${P}&run_id=${E}`, body);
    const traces = (await rows()).map(({ values_dict: { input, output, metadata } }) => ({
      type: 'trace',
      id: randomUUID(),
      input,
      output: `said ${input}`,
      name: 'row',
      created_at: new Date().toISOString(),
      user_metadata: {},
      tags: [],
      metrics: { duration_ns: 1_000 },
      dataset_input: input,
      dataset_output: output,
      dataset_metadata: JSON.parse(metadata!),
      spans: [],
    }));
    const envelope = { log_stream_id: null, experiment_id: E, reliable: true, session_id: null, is_complete: true };
    const logged = await call('POST', `/projects/${P}/traces`, { ...envelope, include_trace_ids: false, traces });
    expect(logged).toMatchObject({ project_id: P, traces_count: 3, experiment_id: E });
    expect(await judged(E)).toMatchObject({ num_traces: 3, dataset: { dataset_id: D, name: dataset_name } });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const columns = await call('POST', `/projects/${P}/experiments/available_columns?project_id=${P}`, undefined, { headers });
    expect(columns.columns.map(({ id }: { id: string }) => id)).toContain('metrics/is_short');
  });

  it('by a prompt', async () => {
    const E = await experimentNamed('by a prompt');
    const template = [{ role: 'user', content: 'hello {{input}}' }];
    const { selected_version_id } = await call('POST', '/templates', { name: `t ${randomUUID()}`, template });
    const job = await call('POST', '/jobs', {
      job_name: 'playground_run',
      project_id: P,
      run_id: E,
      prompt_template_version_id: selected_version_id,
      prompt_settings: { model_alias: 'quiet-model' },
      dataset_id: D,
      scorers: await entries(),
      task_type: 16,
    });
    expect(job.message).toEqual(expect.any(String));
    const ended = async () => expect(await call('GET', `/jobs/${job.job_id}`)).toMatchObject({ status: 'completed' });
    await eventually(ended);
    const jobs = await call('GET', `/projects/${P}/runs/${E}/jobs?project_id=${P}&run_id=${E}`);
    expect(jobs).toMatchObject([{ id: job.job_id, job_name: 'playground_run', steps_completed: 3, steps_total: 3 }]);
    expect(await judged(E)).toMatchObject({
      num_traces: 3,
      prompt: { content: JSON.stringify(template) },
      prompt_model: 'quiet-model',
      status: { log_generation: { progress_percent: 1 } },
    });
    const experiments: { id: string; name: string }[] = await call('GET', `/projects/${P}/experiments`);
    const baseline_id = experiments.find(({ name }) => name === 'by functions')!.id;
    const compared = await call('POST', `/projects/${P}/experiments/compare`, { baseline_id, candidate_id: E });
    expect(compared).toMatchObject({ joined_rows: 3, joined_by_input: 3 });
    expect(compared.metrics).toContainEqual(expect.objectContaining({ name: 'is_short', kind: 'yes_no', mean_difference: 0 }));
    expect(await call('DELETE', `/projects/${P}/experiments/${E}`)).toBeUndefined();
    expect(await call('GET', `/projects/${P}/experiments`)).toHaveLength(1);
  });
});
