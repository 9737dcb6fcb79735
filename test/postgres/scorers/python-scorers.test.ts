import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import type { Reply } from '../../http/harness.ts';
import { send as sendOtlp } from '../../http/otel/otlp-client.ts';
import { type Body, scorerFixture } from '../../http/scorers/scorer-fixture.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';
import { eventually } from '../../setup/timing.ts';

const METRIC = 'registered_scorer_validation';
/** Whether the answer is longer than so many characters, in two languages. */
const longer = (than: number, prints = '') =>
  `def scorer(input, output, **context):\n    print("${prints || 'saw'}", output)\n    return len(str(output)) > ${than}\n`;
const longerInJavaScript = (than: number) => `const scorer = ({ output }) => String(output).length > ${than};`;

let server: PostgresService;
let run: Awaited<ReturnType<ReturnType<typeof scorerFixture>['run']>>;
let at: string;
let project_name: string;
let dataset_id: string;
let scorer: Body;
let name: string;
let version: Body;
const fixture = scorerFixture(() => server);

async function ok(reply: Promise<Reply>): Promise<Body> {
  const { status, body } = await reply;
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const post = (path: string, body?: unknown) => ok(server.request('POST', path, body));
const get = (path: string) => ok(server.request('GET', path));

beforeAll(async () => {
  server = await startPostgresService();
  run = await fixture.run();
  at = `/v2/projects/${run.project_id}`;
  project_name = (await get(at)).name;
  const form = new FormData();
  form.append(
    'file',
    new Blob(['input,output,mgt\nq1,a long answer,true\nq2,no,false\nq3,another long answer,true\n']),
    'rows.csv',
  );
  form.append('name', randomUUID());
  dataset_id = (await ok(server.request('POST', '/v2/datasets?format=csv', undefined, { raw: form }))).id;
  scorer = await fixture.create({ scoreable_node_types: ['trace', 'llm'], output_type: 'boolean' });
  name = scorer.name;
});
afterAll(() => server.close());

/** Tries a program, and returns its run once it is over. */
async function tried(on: 'log_record' | 'dataset', fields: Record<string, string>, source: string): Promise<Body> {
  const started = await ok(fixture.send(`/v2/scorers/code/validate/${on}`, source, fields, 'scorer.py'));
  const job = `/v2/projects/${started.project_id}/runs/${started.metrics_experiment_id}/jobs/latest`;
  await eventually(async () => expect((await get(job)).status).toBe('completed'));
  return started;
}
const triedTraces = async ({ project_id, metrics_experiment_id: metrics_testing_id }: Body): Promise<Body[]> =>
  (await post(`/v2/projects/${project_id}/traces/search`, { metrics_testing_id })).records;

/** One walk, each step on what the one before left. */
describe('a scorer in Python', () => {
  it('is tried on records, where what it prints is kept', async () => {
    const id = await run.log('q', { output: 'a rather long answer' });
    await run.log('q', { output: 'short' });
    const fields = { log_stream_id: run.run_id, scoreable_node_types: '["trace"]' };
    const trial = await tried('log_record', { ...fields, limit: '10' }, longer(8));
    const records = await triedTraces(trial);
    const said = records.map(({ metric_info }) => metric_info[METRIC]);
    expect(said.toSorted((a, b) => Number(b.value) - Number(a.value))).toMatchObject([
      { status_type: 'success', value: true, printed: 'saw a rather long answer\n' },
      { status_type: 'success', value: false, printed: 'saw short\n' },
    ]);
    expect(await run.metric(id, METRIC)).toBeUndefined();
    const scores = `/v2/projects/${trial.project_id}/runs/${trial.metrics_experiment_id}/records/${records[0].id}/scores`;
    expect((await get(scores)).scores).toMatchObject([{ printed: expect.stringMatching(/^saw /), cost: null }]);
  });

  it('keeps of what is printed the first two thousand characters, and what came before an error', async () => {
    const source = 'def scorer(output):\n    print("x" * 100_000)\n    raise ValueError("no")\n';
    const trial = await tried('log_record', { log_stream_id: run.run_id, scoreable_node_types: '["trace"]' }, source);
    for (const { metric_info } of await triedTraces(trial)) {
      expect(metric_info[METRIC]).toMatchObject({ status_type: 'error', message: 'ValueError: no (scorer.py:3)' });
      expect(metric_info[METRIC].printed).toBe('x'.repeat(2_000));
    }
  });

  it('is tried on a dataset, measured against its ground truth, and becomes a version with the evidence', async () => {
    const trial = await tried('dataset', { dataset_id, scoreable_node_types: '["trace"]' }, longer(8));
    const { project_id, metrics_experiment_id } = trial;
    const facts = { scorer_id: scorer.id, output_type: 'boolean', scoreable_node_types: ['trace'] };
    const health = await post(`/v2/projects/${project_id}/metrics-testing/${metrics_experiment_id}/health-score`, facts);
    expect(health).toMatchObject({ joined_rows: 3, health_score_type: 'macro_f1', value: 1 });
    const fields = { validation_result: '{}', validation_id: metrics_experiment_id };
    version = await ok(fixture.send(`/v2/scorers/${scorer.id}/version/code`, longer(8), fields, 'scorer.py'));
    expect(version).toMatchObject({ version: 1, code_language: 'python' });
    const evidence = await get(`/v2/scorers/${scorer.id}/versions/1/validation`);
    expect(evidence).toMatchObject({ verdict: 'valid', records: 3, succeeded: 3 });
    for (const { printed } of evidence.outputs) expect(printed).toMatch(/^saw /);
    const { scores } = await get(`/v2/scorers/${scorer.id}/health-scores?dataset_id=${dataset_id}`);
    expect(scores).toMatchObject([{ scorer_version_id: version.id, score: 1 }]);
  });

  it('scores traces that come as JSON and by OTLP, and keeps nothing of what it prints', async () => {
    await run.enable({ id: scorer.id });
    const [long, short] = [await run.log('q', { output: 'a rather long answer' }), await run.log('q', { output: 'no' })];
    await eventually(async () => {
      expect(await run.metric(long, name)).toMatchObject({ status_type: 'success', value: true });
      expect(await run.metric(short, name)).toMatchObject({ status_type: 'success', value: false });
    });
    expect(await run.metric(long, name)).not.toHaveProperty('printed');
    const attributes = { 'gen_ai.operation.name': 'chat', 'input.value': 'q', 'output.value': 'a rather long answer' };
    const span = { spanId: '00f067aa0ba902b7', name: 'ask', attributes };
    const headers = { project: project_name, logstream: 'default' };
    expect((await sendOtlp(server, toRequest({ spans: [span] }), { headers })).status).toBe(200);
    await eventually(async () => {
      const { records } = await post(`${at}/spans/search`, { log_stream_id: run.run_id });
      expect(records.filter(({ type }: Body) => type === 'llm')).toMatchObject([
        { metric_info: { [name]: { status_type: 'success', value: true } } },
      ]);
    });
  });

  it('scores an experiment', async () => {
    const { id: experiment_id } = await post(`${at}/experiments`, { name: randomUUID(), task_type: 16 });
    await ok(server.request('PATCH', `${at}/experiments/${experiment_id}/metric_settings`, { scorers: [{ id: scorer.id }] }));
    const traces = [{ input: 'q', output: 'a rather long answer', dataset_input: 'q', dataset_output: 'yes' }];
    await post(`${at}/traces`, { experiment_id, traces });
    await eventually(async () => {
      const { records } = await post(`${at}/traces/search`, { experiment_id });
      expect(records).toMatchObject([{ metric_info: { [name]: { status_type: 'success', value: true } } }]);
    });
  });

  it.each([
    ['a version in Python', longer(15), 'scorer.py'],
    ['a version in JavaScript', longerInJavaScript(15), 'scorer.js'],
  ])('is measured in the shadow against %s', async (_what, source, filename) => {
    const { id } = await ok(fixture.send(`/v2/scorers/${scorer.id}/version/code`, source, {}, filename));
    const trial = `${at}/runs/${run.run_id}/shadow-trials/${scorer.id}`;
    await ok(server.request('PUT', trial, { scorer_version_id: id, sample_rate: 1 }));
    const outputs = ['no', 'of ten ch.', 'of many more characters'];
    await post(`${at}/traces`, { log_stream_id: run.run_id, traces: outputs.map((output) => ({ input: 'q', output })) });
    await eventually(async () => {
      const { report } = await get(trial);
      expect(report).toMatchObject({ records: 3, compared: 3, candidate_failed: 0, agreement: expect.closeTo(2 / 3) });
      expect(report.differing).toMatchObject([{ candidate: false, default: true }]);
    });
    await ok(server.request('DELETE', trial));
  });

  it('gives the same when a score is made again', async () => {
    const id = await run.log('q', { output: 'a rather long answer' });
    await eventually(async () => expect(await run.metric(id, name)).toMatchObject({ status_type: 'success' }));
    const replay = `${at}/runs/${run.run_id}/records/${id}/scores/${version.id}/replay`;
    expect(await post(replay, {})).toMatchObject({ is_equal: true, differences: [], replayed: { value: true } });
  });

  it('is in exports', async () => {
    const asked = { log_stream_id: run.run_id, root_type: 'trace', export_format: 'jsonl', filters: [] };
    const lines: string[] = (await post(`${at}/export_records`, asked)).split('\n').filter(Boolean);
    const values = lines.flatMap((line) => JSON.parse(line).metric_info[name]?.value ?? []);
    expect(new Set(values)).toEqual(new Set([true, false]));
  });

  it('is gone when it is deleted, and what it said stays', async () => {
    const id = await run.log('q', { output: 'a rather long answer' });
    await eventually(async () => expect(await run.metric(id, name)).toMatchObject({ value: true }));
    await ok(server.request('DELETE', `/v2/scorers/${scorer.id}`));
    expect((await run.settings()).body.scorers).toEqual([]);
    expect(await run.metric(id, name)).toMatchObject({ status_type: 'success', value: true });
    const after = await run.log('q', { output: 'a rather long answer' });
    expect(await run.metric(after, name)).toBeUndefined();
  });
});
