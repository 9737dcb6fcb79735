import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { scorerFixture } from './scorer-fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const fixture = scorerFixture(() => server);
const METRIC = 'registered_scorer_validation';
const CODE =
  'function scorer({ type, output }) {\n  const text = typeof output === "string" ? output : output.content;\n  if (/boom/.test(text)) throw new Error("boom");\n  return text.includes("good");\n}';

interface Trial {
  readonly metrics_experiment_id: string;
  readonly project_id: string;
}

/** Waits for the end of a trial, which its run tells. */
async function finished({ project_id, metrics_experiment_id }: Trial) {
  const latest = async () =>
    (await server.request('GET', `/v2/projects/${project_id}/runs/${metrics_experiment_id}/jobs/latest`)).body;
  await expect.poll(async () => (await latest()).status).toMatch(/completed|failed/);
  return latest();
}
const search = async (
  { project_id, metrics_experiment_id: metrics_testing_id }: Trial,
  level: 'traces' | 'spans',
  more: object = {},
) => (await server.request('POST', `/v2/projects/${project_id}/${level}/search`, { metrics_testing_id, ...more })).body.records;
const onRecords = (fields: Record<string, string>, source = CODE) =>
  fixture.send('/v2/scorers/code/validate/log_record', source, fields, 'scorer.js');
const onRows = (fields: Record<string, string>, source = CODE) =>
  fixture.send('/v2/scorers/code/validate/dataset', source, fields, 'scorer.js');

describe('a trial on live records', () => {
  it('scores copies and leaves the records alone', async () => {
    const run = await fixture.run();
    const span = (output: string) => ({
      spans: [
        { type: 'llm', input: 'q', output },
        { type: 'tool', input: 'q', output: 'x' },
      ],
    });
    const ids = [await run.log('a', span('good')), await run.log('b', span('bad')), await run.log('c', span('boom'))];
    const reply = await onRecords({ log_stream_id: run.run_id, scoreable_node_types: '["llm"]', required_scorers: '[]' });
    expect(reply).toMatchObject({ status: 200, body: { project_id: run.project_id, metrics_experiment_id: expect.any(String) } });
    expect(await finished(reply.body)).toMatchObject({ status: 'completed', steps_completed: 3, job_name: 'scorer_trial' });

    const spans = await search(reply.body, 'spans', { sort: { column_id: 'created_at', ascending: true } });
    expect(spans).toHaveLength(6);
    const scored = spans.filter(({ type }: { type: string }) => type === 'llm');
    expect(scored.map((one: { metric_info: object }) => one.metric_info)).toMatchObject([
      { [METRIC]: { status_type: 'success', value: true } },
      { [METRIC]: { status_type: 'success', value: false } },
      { [METRIC]: { status_type: 'error', message: expect.stringMatching(/boom \(scorer\.js:3/) } },
    ]);
    const traces = await search(reply.body, 'traces');
    expect(
      traces
        .map(({ dataset_metadata }: { dataset_metadata: { source_record_id: string } }) => dataset_metadata.source_record_id)
        .sort(),
    ).toEqual([...ids].sort());
    expect(traces.every(({ id }: { id: string }) => !ids.includes(id))).toBe(true);
    for (const id of ids) expect(await run.metric(id, METRIC)).toBeUndefined();
    const source = await server.request('POST', `/v2/projects/${run.project_id}/spans/search`, { log_stream_id: run.run_id });
    expect(source.body.records.every((one: { metric_info: object }) => !(METRIC in one.metric_info))).toBe(true);
    const streams = await server.request('GET', `/v2/projects/${run.project_id}/log_streams`);
    expect(streams.body.map(({ id }: { id: string }) => id)).toEqual([run.run_id]);
  });

  it('is searched and filtered by what the candidate said, under its column', async () => {
    const run = await fixture.run();
    for (const output of ['good', 'bad', 'good']) await run.log('q', { output });
    const { body: trial } = await onRecords({ log_stream_id: run.run_id, scoreable_node_types: 'trace' });
    await finished(trial);
    const filter = { type: 'boolean', column_id: `metrics/${METRIC}`, operator: 'eq', value: true };
    expect(await search(trial, 'traces', { filters: [filter] })).toHaveLength(2);
    const asked = {
      metrics_testing_id: trial.metrics_experiment_id,
      name: 'my metric',
      output_type: 'boolean',
      metric_key: METRIC,
    };
    const columns = await server.request('POST', `/v2/projects/${run.project_id}/metrics-testing/available_columns`, asked);
    const column = columns.body.columns.find(({ id }: { id: string }) => id === `metrics/${METRIC}`);
    expect(column).toMatchObject({ category: 'metric', label: 'my metric', data_type: 'boolean', is_empty: false });
  });

  it('takes filters, sort and a page of what they find', async () => {
    const run = await fixture.run();
    for (const name of ['a', 'b', 'c', 'd']) await run.log(name, { output: 'good', tags: name === 'a' ? [] : ['t'] });
    const { body: trial } = await onRecords({
      log_stream_id: run.run_id,
      scoreable_node_types: '["trace"]',
      filters: JSON.stringify([{ type: 'collection', column_id: 'tags', operator: 'contains', value: 't' }]),
      sort: JSON.stringify({ column_id: 'input', ascending: true }),
      limit: '1',
      starting_token: '1',
    });
    await finished(trial);
    expect(await search(trial, 'traces')).toMatchObject([{ input: 'c' }]);
  });

  it('hands in what required scorers have said of the originals, and has the others say it', async () => {
    const [known, unknown] = [
      await fixture.create({ scoreable_node_types: ['trace'] }),
      await fixture.create({ scoreable_node_types: ['trace'] }),
    ];
    await fixture.upload(known.id, 'const scorer = ({ input }) => Number.parseInt(input, 10) || 0;');
    await fixture.upload(unknown.id, 'const scorer = () => 5;');
    const run = await fixture.run();
    await run.enable({ id: known.id });
    const id = await run.log('37');
    await expect.poll(() => run.metric(id, known.name)).toMatchObject({ value: 37 });
    const source = `const scorer = (record, { required }) => required["${known.name}"] + required["${unknown.name}"];`;
    const required_scorers = JSON.stringify([known.name, unknown.name]);
    const { body: trial } = await onRecords(
      { log_stream_id: run.run_id, scoreable_node_types: '["trace"]', required_scorers },
      source,
    );
    await finished(trial);
    expect((await search(trial, 'traces'))[0].metric_info[METRIC]).toMatchObject({ status_type: 'success', value: 42 });
  });

  it('needs one run that the caller may write beside, and filters that records have', async () => {
    const run = await fixture.run();
    const code = async (fields: Record<string, string>) => {
      const { status, body } = await onRecords(fields);
      return `${status} ${body.code}`;
    };
    const log_stream_id = run.run_id;
    expect(await code({})).toBe('422 run_ambiguous');
    expect(await code({ log_stream_id, experiment_id: log_stream_id })).toBe('422 run_ambiguous');
    expect(await code({ log_stream_id: randomUUID() })).toBe('404 run_not_found');
    for (const filters of ['{', '[{}]', '[{"type":"text","column_id":"no","operator":"eq","value":"x"}]'])
      expect(await code({ log_stream_id, filters })).toMatch(/^422/);
    expect(await code({ log_stream_id, limit: '0' })).toMatch(/^422/);
    expect(await code({ log_stream_id, scoreable_node_types: '[]' })).toBe('422 node_types_invalid');
    const tags = JSON.stringify([{ type: 'collection', column_id: 'tags', operator: 'contains', value: 't' }]);
    expect(await code({ log_stream_id, scoreable_node_types: '["session"]', filters: tags })).toBe('422 filter_invalid');
    expect(await code({ log_stream_id, limit: 'null', starting_token: 'null', sort: 'null', filters: 'null' })).toBe(
      '200 undefined',
    );
    expect(await code({ log_stream_id, limit: '', sort: '', filters: '' })).toBe('200 undefined');
  });
});

describe('a trial on dataset rows', () => {
  const dataset = async () => {
    const rows =
      'input,output,generated_output,mgt,metadata\nq1,expected,good answer,true,"{""k"":""v""}"\nq2,expected,bad answer,true,\nq3,expected,good one,false,\n';
    const form = new FormData();
    form.append('file', new Blob([rows]), 'rows.csv');
    form.append('name', randomUUID());
    const { body, status } = await server.request('POST', '/v2/datasets?format=csv', undefined, { raw: form });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.id as string;
  };

  it('makes a record of each row, and has a health', async () => {
    const dataset_id = await dataset();
    const reply = await onRows({ dataset_id, dataset_version_index: '1', scoreable_node_types: '["llm"]', score_type: 'bool' });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const trial: Trial = reply.body;
    expect(await finished(trial)).toMatchObject({ status: 'completed', steps_completed: 3 });
    const traces = await search(trial, 'traces', { sort: { column_id: 'input', ascending: true } });
    expect(traces[0]).toMatchObject({ input: 'q1', output: 'good answer', dataset_input: 'q1', dataset_output: 'expected' });
    const content = (await server.request('GET', `/v2/datasets/${dataset_id}/content`)).body.rows;
    expect(traces[0].dataset_metadata).toEqual({ k: 'v', dataset_row_id: content[0].row_id });
    const { id } = await fixture.create({ output_type: 'boolean', scoreable_node_types: ['llm'] });
    const health = await server.request(
      'POST',
      `/v2/projects/${trial.project_id}/metrics-testing/${trial.metrics_experiment_id}/health-score`,
      {
        scorer_id: id,
        output_type: 'boolean',
        scoreable_node_types: ['llm'],
      },
    );
    expect(health).toMatchObject({ status: 200, body: { total_scored_rows: 3, total_mgt_rows: 3, joined_rows: 3 } });
    expect(health.body.value).toBeGreaterThan(0);

    const fields = { validation_result: '{}', validation_id: trial.metrics_experiment_id };
    const { body: version } = await fixture.send(`/v2/scorers/${id}/version/code`, CODE, fields);
    expect(version.id).toBe(trial.metrics_experiment_id);
    const evidence = await server.request('GET', `/v2/scorers/${id}/versions/1/validation`);
    expect(evidence.body).toMatchObject({
      records: 3,
      succeeded: 3,
      metrics_testing_id: trial.metrics_experiment_id,
      project_id: trial.project_id,
    });
    await server.request('POST', `/v2/projects/${trial.project_id}/metrics-testing/${trial.metrics_experiment_id}/health-score`, {
      scorer_id: id,
      output_type: 'boolean',
      scoreable_node_types: ['llm'],
    });
    const kept = await server.request('GET', `/v2/scorers/${id}/health-scores?dataset_id=${dataset_id}`);
    expect(kept.body.scores).toMatchObject([{ scorer_version_id: version.id, scorer_version_number: 1 }]);
  });

  it('goes on where it was interrupted: a second attempt changes nothing', async () => {
    const dataset_id = await dataset();
    const { body: trial } = await onRows({ dataset_id, scoreable_node_types: '["llm"]' });
    const { id } = await finished(trial);
    const records = async () => [await search(trial, 'traces'), await search(trial, 'spans')];
    const { jobStore, jobHandlers, validationStore } = server.cradle;
    const [before, evidence] = [await records(), (await validationStore.find(trial.metrics_experiment_id))!.evidence];
    const job = (await jobStore.find(id))!;
    const handler = jobHandlers.find(({ job_name }) => job_name === job.job_name)!;
    const result = await handler.run(job, { report: async () => {} }, new AbortController().signal);
    expect(result).toEqual(job.result);
    expect(await records()).toEqual(before);
    const { elapsed_ms: _ms, finished_at: _at, ...again } = (await validationStore.find(trial.metrics_experiment_id))!.evidence!;
    expect(evidence).toMatchObject(again);
  });

  it('goes to a project of the caller for trials, the same each time, or to the one that is named', async () => {
    const dataset_id = await dataset();
    const [one, two] = [await onRows({ dataset_id, limit: '1' }), await onRows({ dataset_id, limit: '1' })];
    expect(one.body.project_id).toBe(two.body.project_id);
    expect((await server.request('GET', `/v2/projects/${one.body.project_id}`)).body.name).toMatch(/^Scorer trials of /);
    const { project_id } = await fixture.run();
    expect((await onRows({ dataset_id, project_id })).body.project_id).toBe(project_id);
    const ann = await person(server);
    expect((await ann.request('GET', `/v2/projects/${one.body.project_id}`)).status).toBe(404);
    expect(await onRows({ dataset_id: randomUUID() })).toMatchObject({ status: 404, body: { code: 'dataset_not_found' } });
    expect(await onRows({ dataset_id, dataset_version_index: '9' })).toMatchObject({
      status: 404,
      body: { code: 'dataset_version_not_found' },
    });
    expect((await onRows({})).status).toBe(422);
  });

  it('is removed after a while, and what it came to stays', async () => {
    const dataset_id = await dataset();
    const { body: trial } = await onRows({ dataset_id, scoreable_node_types: 'trace' });
    await finished(trial);
    const { trialExpiry, validationStore } = server.cradle;
    expect(await trialExpiry.run()).toEqual({ removed: 0, more: false });
    const old = (await validationStore.find(trial.metrics_experiment_id))!;
    const [unused, used] = [randomUUID(), randomUUID()];
    const long_ago = '2026-01-01T00:00:00.000Z';
    await validationStore.insert({ ...old, id: unused, created_at: long_ago });
    await validationStore.insert({ ...old, id: used, created_at: long_ago, scorer_version_id: randomUUID() });
    expect(await trialExpiry.run()).toEqual({ removed: 2, more: false });
    expect(await validationStore.find(unused)).toBeUndefined();
    const gone = await server.request('POST', `/v2/projects/${trial.project_id}/traces/search`, {
      metrics_testing_id: trial.metrics_experiment_id,
    });
    expect(gone).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect(await validationStore.find(used)).toMatchObject({ run_id: null, evidence: { records: 3 } });
  });
});
