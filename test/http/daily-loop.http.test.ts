import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineModelProvider, z } from '../../core/plugin-sdk/index.ts';
import { eventually } from '../setup/timing.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { type Person, person } from './people.ts';

const QUESTIONS = Array.from({ length: 8 }, (_, n) => `May I send back order ${n + 1}?`);
const TOO_SHORT = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: '{{input}}' },
] as const;
const WITH_POLICY = [{ role: 'system', content: 'Name the 30 days of our policy.' }, TOO_SHORT[1]] as const;

/** A model that knows of the policy what its prompt says. */
const shopModel = defineModelProvider({
  id: 'shop',
  sdk: 1,
  stability: 'experimental',
  label: 'Shop',
  summary: 'A model of this test.',
  settings: z.strictObject({ token: z.string() }),
  create: () => ({
    complete: async ({ signal: _, ...request }) => ({
      text: reply(JSON.stringify(request)),
      ...{ usage: { input_tokens: 3, output_tokens: 2 }, finish_reason: 'stop', model: 'shop-1' },
    }),
    models: async () => [{ name: 'shop-1', alias: 'shop', for_scorers: true }],
    check: async () => {},
  }),
});
const reply = (prompt: string): string => (prompt.includes('30 days') ? 'Yes, within 30 days.' : 'I do not know.');

let server: TestServer;
let owner: Person;
let [ann, bob]: Person[] = [];
let project: string;
let log_stream_id: string;

beforeAll(async () => {
  server = await startTestServer({ modelProviders: [shopModel] });
  [owner, ann, bob] = (await Promise.all([1, 2, 3].map(() => person(server)))) as [Person, Person, Person];
  expect((await server.request('PUT', '/v2/integrations/shop', { token: 'a' })).status).toBe(200);
  await server.request('POST', `/v2/integrations/${await getIntegrationId()}/users`, [{ user_id: owner.id, role: 'viewer' }]);
  project = `/v2/projects/${(await owner.request('POST', '/v2/projects', { name: 'Shop' })).body.id}`;
  log_stream_id = (await post('/log_streams', { name: 'production' })).id;
  await post(
    '/users',
    [ann, bob].map((one) => ({ user_id: one!.id, role: 'annotator' })),
  );
});
afterAll(() => server.close());

const getIntegrationId = async () => (await server.request('GET', '/v2/integrations/shop')).body.id;
/** Sends as the owner, or as who is named, what has to succeed; `path` is one of the project. */
async function post(path: string, body: unknown = {}, who: Person = owner) {
  const { status, body: replied } = await who.request('POST', path.startsWith('/v2') ? path : project + path, body);
  expect({ path, status, replied }).toMatchObject({ status: 200 });
  return replied;
}
const get = async (path: string) => (await owner.request('GET', path.startsWith('/v2') ? path : project + path)).body;

/** The application: answers by the prompt that is labelled `production`, and logs what it did. */
async function answerCustomers(day: string): Promise<string[]> {
  const { template, version: prompt_version } = await get(`/templates/versions?template_name=returns&label=production`);
  const said = template.map(({ content }: { content: string }) => content).join(' ');
  // Its calls say which version of the prompt they were made with.
  const call = { type: 'llm', prompt_name: 'returns', prompt_version, metrics: { cost: 0.25 } };
  const traces = QUESTIONS.map((input) => ({
    id: randomUUID(),
    name: 'returns',
    input,
    output: reply(said),
    created_at: `${day}T10:00:00Z`,
    spans: [{ ...call, input, output: reply(said), created_at: `${day}T10:00:00Z` }],
  }));
  await post('/traces', { log_stream_id, traces });
  return traces.map(({ id }) => id);
}
/** A scorer that finds the answer of the policy in what was said. */
async function makeScorer(): Promise<string> {
  const { id } = await post('/v2/scorers', {
    name: `correct ${randomUUID()}`,
    scorer_type: 'code',
    scoreable_node_types: ['trace'],
  });
  const form = new FormData();
  form.append('file', new Blob(['function scorer(record) { return String(record.output).includes("30 days"); }']), 'scorer.js');
  const headers = { 'service-api-key': owner.api_key };
  expect((await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form, headers })).status).toBe(200);
  return id;
}
const done = (job_id: string) =>
  eventually(async () => {
    const job = await get(`/v2/jobs/${job_id}`);
    expect(job).toMatchObject({ status: 'completed' });
    return job;
  });
/** Runs a version of the prompt over the dataset, and waits until its answers are scored. */
async function runExperiment(version_id: string, dataset_id: string, version_index: number, scorer_id: string): Promise<string> {
  const { id: run_id } = await post('/experiments', { name: randomUUID(), dataset: { dataset_id, version_index } });
  const scorers = [{ id: scorer_id, name: 'correct' }];
  const job = { job_name: 'playground_run', project_id: project.split('/').at(-1), run_id, dataset_id, scorers, task_type: 16 };
  await done((await post('/v2/jobs', { ...job, prompt_template_version_id: version_id, prompt_settings: {} })).job_id);
  await eventually(async () => {
    const { records } = await post('/traces/search', { experiment_id: run_id });
    expect(records).toHaveLength(QUESTIONS.length);
    for (const { metric_info } of records) expect(metric_info.correct).toMatchObject({ status_type: 'success' });
  });
  return run_id;
}
/** Exit code of the gate that a build runs before it lets a change through: 0 where the candidate is not worse. */
async function gate(baseline: string, candidate: string): Promise<number> {
  const env = { ...process.env, SERVICE_URL: server.url, SERVICE_API_KEY: owner.api_key };
  const wanted = [
    '--project',
    project.split('/').at(-1)!,
    '--baseline',
    baseline,
    '--experiment',
    candidate,
    '--metric',
    'correct',
  ];
  const ended = promisify(execFile)(process.execPath, ['cli/gate.ts', ...wanted], { env });
  return ended.then(
    () => 0,
    ({ code }) => code,
  );
}
/** The share of correct answers on a day of production. */
async function readTrend(day: string): Promise<number> {
  const span = { start_time: `${day}T00:00:00Z`, end_time: `${day}T23:00:00Z`, interval: 1440 };
  return (await post('/metrics/search', { log_stream_id, ...span })).aggregate_metrics['metrics/correct'];
}

describe('the daily loop', () => {
  it('goes from a bad answer in production to a better prompt in production', async () => {
    // Monday: the application answers by the prompt in production, and a scorer watches.
    const scorer_id = await makeScorer();
    const settings = { scorers: [{ id: scorer_id, name: 'correct' }] };
    expect((await owner.request('PATCH', `${project}/log_streams/${log_stream_id}/metric_settings`, settings)).status).toBe(200);
    const made = await owner.request('POST', `/v2/templates?project_id=${project.split('/').at(-1)}`, {
      ...{ name: 'returns', template: TOO_SHORT, settings: { model_alias: 'shop' } },
    });
    const { id: template_id, selected_version_id: first } = made.body;
    const moveLabel = (version: number) => owner.request('PUT', `/v2/templates/${template_id}/labels/production`, { version });
    expect((await moveLabel(1)).status).toBe(200);
    const asked = await answerCustomers('2026-11-23');

    // A customer is not content, and the answers are found by what the scorer says of them.
    const said = { record_id: asked[0], name: 'helpful', feedback_type: 'like_dislike', value: false };
    await post('/feedback', { log_stream_id, ...said });
    const isWrong = { type: 'boolean', column_id: 'metrics/correct', operator: 'eq', value: false };
    const isDisliked = { type: 'boolean', column_id: 'feedback/helpful', operator: 'eq', value: false };
    const found = await eventually(async () => {
      const { records } = await post('/traces/search', { log_stream_id, filters: [isWrong] });
      expect(records).toHaveLength(QUESTIONS.length);
      return records;
    });
    expect(new Set(found.map(({ id }: { id: string }) => id))).toEqual(new Set(asked));
    const { records: disliked } = await post('/traces/search', { log_stream_id, filters: [isDisliked] });
    expect(disliked).toMatchObject([{ id: asked[0], output: expect.stringContaining('I do not know.') }]);

    // Two people look at them and agree that they are wrong.
    const { id: right } = await post('/annotation_templates', { name: 'right', annotation_type: 'like_dislike' });
    const people = { template_ids: [right], assignee_ids: [ann!.id, bob!.id], answers_required: 2 };
    const queue = await post('/annotation_queues', { log_stream_id, name: 'wrong answers', filters: [isWrong], ...people });
    const path = `/annotation_queues/${queue.id}`;
    for (const who of [ann!, bob!])
      for (let n = 0; n < QUESTIONS.length; n += 1) {
        const { record } = await post(`${path}/next`, {}, who);
        await post(`${path}/items/${record.id}`, { answers: [{ template_id: right, value: false }] }, who);
      }
    expect(await get(path)).toMatchObject({ num_pending: 0, num_done: QUESTIONS.length });

    // The answers they agreed on become a dataset, each row with the way back to its trace.
    const form = new FormData();
    form.set('name', `returns ${randomUUID()}`);
    form.set('file', new Blob(['[]'], { type: 'application/json' }), 'rows.json');
    const headers = { 'service-api-key': owner.api_key };
    const dataset = (await server.request('POST', '/v2/datasets', undefined, { raw: form, headers })).body;
    const areWrong = [{ type: 'boolean', column_id: `annotations/${right}`, operator: 'eq', value: false }];
    const copied = { project_id: project.split('/').at(-1), log_stream_id, columns: { input: { field: 'input' } } };
    const { job } = await post(`/v2/datasets/${dataset.id}/records`, { ...copied, filters: areWrong });
    expect(await done(job.id)).toMatchObject({ progress_message: '8 rows added' });
    const { rows, version_index } = await getContent(dataset.id);
    const sources = rows.map(({ values_dict }: Row) => values_dict.source_record.record_id);
    expect(new Set(sources)).toEqual(new Set(asked));

    // In the playground another prompt answers the same question better.
    const variants = [TOO_SHORT, WITH_POLICY].map((template) => ({ template, settings: { model_alias: 'shop' } }));
    const tried = await post('/playground', { variants, values: { input: QUESTIONS[0] } });
    expect(tried.variants).toMatchObject([{ output: 'I do not know.' }, { output: 'Yes, within 30 days.' }]);
    const second = await post(`/v2/templates/${template_id}/versions`, {
      ...{ template: WITH_POLICY, settings: { model_alias: 'shop' }, commit_message: 'Name the policy.' },
    });

    // Both versions go over the dataset, and are compared row by row.
    const before = await runExperiment(first, dataset.id, version_index, scorer_id);
    const after = await runExperiment(second.id, dataset.id, version_index, scorer_id);
    const compared = await post('/experiments/compare', { baseline_id: before, candidate_id: after, metric: 'correct' });
    const correct = compared.metrics.find(({ name }: { name: string }) => name === 'correct');
    expect(correct).toMatchObject({ mean_difference: 1, improved: { rows: 8 }, worse: { rows: 0 } });

    // The gate of the build lets it through, and would not the other way round.
    expect(await gate(before, after)).toBe(0);
    expect(await gate(after, before)).toBe(1);

    // The label moves, and on Tuesday the application answers by the new prompt.
    expect((await moveLabel(2)).body).toEqual([{ label: 'production', version: 2 }]);
    await answerCustomers('2026-11-24');

    // The trend of production says so.
    await eventually(async () => expect(await readTrend('2026-11-24')).toBe(1));
    expect(await readTrend('2026-11-23')).toBe(0);

    // And the figures of the prompt say which version it is owed to, of eight traces in production and eight of the experiment.
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const span = `start_time=2026-11-20T00:00:00Z&end_time=${tomorrow}`;
    await eventually(async () => {
      const { versions } = await get(`/templates/${template_id}/usage?${span}`);
      const counted = (version: number, mean: number) => ({
        version,
        num_calls: 16,
        cost: 2,
        trace_scores: { correct: { mean, count: 16 } },
      });
      expect(versions).toMatchObject([counted(2, 1), counted(1, 0)]);
    });
  });
});

interface Row {
  readonly values_dict: { readonly source_record: { readonly record_id: string } };
}
const getContent = async (dataset_id: string) => {
  const { current_version_index: version_index } = await get(`/v2/datasets/${dataset_id}`);
  return { version_index, rows: (await get(`/v2/datasets/${dataset_id}/content`)).rows };
};
