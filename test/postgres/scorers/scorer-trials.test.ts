import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scorerFixture } from '../../http/scorers/scorer-fixture.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';

let server: PostgresService;
beforeAll(async () => {
  server = await startPostgresService();
});
afterAll(() => server.close());
const fixture = scorerFixture(() => server);
const CODE = 'const scorer = ({ output }) => JSON.stringify(output).includes("good");';
const METRIC = 'registered_scorer_validation';

async function finished(project_id: string, run_id: string): Promise<void> {
  const status = async () => (await server.request('GET', `/v2/projects/${project_id}/runs/${run_id}/jobs/latest`)).body.status;
  await expect.poll(status).toBe('completed');
}

it('tries a scorer on copies of live records, makes a version of it, and removes the run after a while', async () => {
  const run = await fixture.run();
  const half = 'good \0 \ud83e';
  for (const output of [half, 'bad']) await run.log('q', { spans: [{ type: 'llm', input: 'q', output }] });
  const fields = { log_stream_id: run.run_id, scoreable_node_types: '["llm"]' };
  const { body: trial } = await fixture.send('/v2/scorers/code/validate/log_record', CODE, fields);
  const metrics_testing_id = trial.metrics_experiment_id as string;
  await finished(run.project_id, metrics_testing_id);

  const filters = [{ type: 'boolean', column_id: `metrics/${METRIC}`, operator: 'eq', value: true }];
  const path = `/v2/projects/${run.project_id}/spans/search`;
  const { body: found } = await server.request('POST', path, { metrics_testing_id, filters });
  expect(found.records).toMatchObject([{ output: { content: half }, metric_info: { [METRIC]: { value: true } } }]);
  const { body: originals } = await server.request('POST', path, { log_stream_id: run.run_id });
  expect(originals.records.map((one: { metric_info: object }) => one.metric_info)).toEqual([{}, {}]);

  const { id } = await fixture.create({ output_type: 'boolean' });
  const made = { validation_result: '{}', validation_id: metrics_testing_id };
  expect((await fixture.send(`/v2/scorers/${id}/version/code`, CODE, made)).body).toMatchObject({
    id: metrics_testing_id,
    version: 1,
  });

  await server.session.sql(`update scorer_validations set created_at = now() - interval '31 days' where id = $1`, [
    metrics_testing_id,
  ]);
  // A judge's job that waits for its hour: it goes with the run.
  await server.session.sql(
    `insert into pgboss.job (name, group_id, data, start_after, expire_seconds, deletion_seconds)
     values ('model_scoring', $1, $2, now() + interval '1 hour', 3600, 3600)`,
    [run.project_id, JSON.stringify({ project_id: run.project_id, run_id: metrics_testing_id, trace_ids: [randomUUID()] })],
  );
  const waiting = async () =>
    (await server.session.sql(`select from pgboss.job where data ->> 'run_id' = $1 and state < 'active'`, [metrics_testing_id]))
      .length;
  expect(await waiting()).toBe(1);
  expect(await server.cradle.trialExpiry.run()).toEqual({ removed: 1, more: false });
  expect(await waiting()).toBe(0);
  // Runs are remembered for a second.
  await expect.poll(async () => (await server.request('POST', path, { metrics_testing_id })).status).toBe(404);
  const left = await server.session.sql('select from records where project_id = $1 and run_id = $2', [
    run.project_id,
    metrics_testing_id,
  ]);
  expect(left).toEqual([]);
  const evidence = await server.request('GET', `/v2/scorers/${id}/versions/1/validation`);
  expect(evidence.body).toMatchObject({ records: 2, succeeded: 2, metrics_testing_id: null });
});

it('tries a scorer on rows of a dataset', async () => {
  const form = new FormData();
  form.append('file', new Blob(['input,output\nq1,good\nq2,bad\nq3,good\n']), 'rows.csv');
  form.append('name', randomUUID());
  const { body: dataset } = await server.request('POST', '/v2/datasets?format=csv', undefined, { raw: form });
  const fields = { dataset_id: dataset.id, scoreable_node_types: 'trace', limit: '2', starting_token: '1' };
  const { body: trial } = await fixture.send('/v2/scorers/code/validate/dataset', CODE, fields);
  await finished(trial.project_id, trial.metrics_experiment_id);
  const asked = { metrics_testing_id: trial.metrics_experiment_id, sort: { column_id: 'input', ascending: true } };
  const { body: found } = await server.request('POST', `/v2/projects/${trial.project_id}/traces/search`, asked);
  expect(found.records).toMatchObject([
    { input: 'q2', dataset_output: 'bad', metric_info: { [METRIC]: { value: false } } },
    { input: 'q3', dataset_output: 'good', metric_info: { [METRIC]: { value: true } } },
  ]);
});

it('takes a deleted scorer out of the runs of all projects', async () => {
  const { id } = await fixture.create({ scoreable_node_types: ['trace'] });
  await fixture.upload(id);
  const runs = [await fixture.run(), await fixture.run()];
  for (const run of runs) await run.enable({ id });
  expect((await server.request('GET', `/v2/scorers/${id}/projects`)).body.total_count).toBe(2);
  expect((await server.request('DELETE', `/v2/scorers/${id}`)).status).toBe(200);
  for (const run of runs) expect((await run.settings()).body.scorers).toEqual([]);
  const trace_id = await runs[0]!.log('later');
  const { body } = await server.request('GET', `/v2/projects/${runs[0]!.project_id}/traces/${trace_id}`);
  expect(body.metric_info).toEqual({});
});
