import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';

let server: TestServer;
let project_id: string;
let path: string;
beforeAll(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: `p ${randomUUID()}` })).body.id;
  path = `/v2/projects/${project_id}/experiments`;
});
afterAll(() => server.close());

const created = async (more: object = {}) => {
  const { status, body } = await server.request('POST', path, { name: `e ${randomUUID()}`, ...more });
  expect(status).toBe(200);
  return body;
};
const logged = (experiment_id: string, traces: object[]) =>
  server.request('POST', `/v2/projects/${project_id}/traces`, { experiment_id, log_stream_id: null, traces });

describe('experiments', () => {
  it('are made, read, renamed and deleted', async () => {
    const experiment = await created({ task_type: 16, dataset: null, scorers: null });
    expect(experiment).toMatchObject({
      project_id,
      task_type: 16,
      dataset: null,
      prompt: null,
      num_traces: 0,
      aggregate_metrics: {},
      rating_aggregates: {},
      rank: null,
      tags: {},
      status: { log_generation: { progress_percent: 1 } },
    });
    const renamed = await server.request('PUT', `${path}/${experiment.id}`, { name: 'another name', task_type: 17 });
    expect(renamed.body).toMatchObject({ id: experiment.id, name: 'another name', task_type: 17 });
    expect((await server.request('DELETE', `${path}/${experiment.id}`)).status).toBe(204);
    expect(await server.request('GET', `${path}/${experiment.id}`)).toMatchObject({
      status: 404,
      body: { code: 'experiment_not_found' },
    });
  });

  it('of one name are two, the second with a suffix; a name cannot be taken by renaming', async () => {
    const first = await created();
    const second = await created({ name: first.name });
    expect(second.name).toBe(`${first.name} (1)`);
    expect(second.id).not.toBe(first.id);
    expect((await server.request('PUT', `${path}/${second.id}`, { name: first.name })).status).toBe(409);
  });

  it('made of a version of a dataset remember it, and put it to use in the project', async () => {
    const dataset = await makeDataset(server, [{ input: 'a' }]);
    const experiment = await created({ dataset: { dataset_id: dataset.id, version_index: 1 } });
    expect(experiment.dataset).toEqual({ dataset_id: dataset.id, version_index: 1, name: dataset.name });
    const { body } = await server.request('GET', `/v2/datasets/${dataset.id}/projects`);
    expect(body.projects).toMatchObject([{ id: project_id }]);
    expect(await server.cradle.runOriginStore.find(project_id, experiment.id)).toMatchObject({
      dataset_id: dataset.id,
      dataset_version_index: 1,
    });
    const missing = { dataset: { dataset_id: dataset.id, version_index: 7 } };
    expect((await server.request('POST', path, { name: 'x', ...missing })).body.code).toBe('dataset_version_not_found');
  });

  it('refuse datasets and prompts that the caller does not see', async () => {
    const editor = await person(server);
    await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: editor.id, role: 'editor' }]);
    const dataset = await makeDataset(server, [{ input: 'a' }]);
    const template = (await server.request('POST', '/v2/templates', { name: randomUUID(), template: 'x' })).body;
    const asked = [
      [{ dataset: { dataset_id: dataset.id, version_index: 1 } }, 'dataset_not_found'],
      [{ prompt_template_version_id: template.selected_version_id }, 'template_version_not_found'],
    ] as const;
    for (const [body, code] of asked)
      expect(await editor.request('POST', path, { name: 'y', ...body })).toMatchObject({ status: 404, body: { code } });
  });

  it('are listed with counts when asked, page by page, filtered and sorted', async () => {
    const { id, name } = await created();
    await logged(id, [{ input: 'q', spans: [{ type: 'llm', input: 'q', output: 'a' }] }]);
    const all = await server.request('GET', `${path}?project_id=${project_id}&include_counts=true`);
    expect(all.body.find((one: { id: string }) => one.id === id)).toMatchObject({ num_traces: 1, num_spans: 1 });
    const page = await server.request('GET', `${path}/paginated?limit=1`);
    expect(page.body).toMatchObject({ experiments: [{ id, num_traces: null }], paginated: true });
    const found = await server.request('POST', `${path}/search`, { filters: [{ name: 'name', operator: 'eq', value: name }] });
    expect(found.body.experiments).toMatchObject([{ id }]);
  });

  it('have averages, and a rank among those of the same dataset and metrics', async () => {
    const dataset = await makeDataset(server, [{ input: 'a' }]);
    const of = { dataset: { dataset_id: dataset.id, version_index: 1 } };
    const [good, bad] = [await created(of), await created(of)];
    const call = (tokens: number) => ({ type: 'llm', input: 'q', output: 'a', metrics: { num_total_tokens: tokens, cost: 0.5 } });
    await logged(good.id, [
      { input: 'a', metrics: { duration_ns: 10, quality: 1 }, spans: [call(5), call(7)] },
      { input: 'b', metrics: { duration_ns: 30, quality: 0.5 }, status_code: 500 },
    ]);
    await logged(bad.id, [{ input: 'a', metrics: { duration_ns: 10, quality: 0.25 } }]);
    const one = await server.request('GET', `${path}/${good.id}`);
    expect(one.body.aggregate_metrics).toEqual({
      duration_ns: 20,
      num_total_tokens: 6,
      cost: 0.5,
      quality: 0.75,
      error_rate: 0.5,
    });
    expect(one.body).toMatchObject({ ranking_score: 0.75, rank: 1, winner: true });
    expect((await server.request('GET', `${path}/${bad.id}`)).body).toMatchObject({ rank: 2, winner: false });
  });

  it('carry tags', async () => {
    const { id } = await created();
    const tags = `${path}/${id}/tags`;
    const tag = (await server.request('POST', tags, { key: 'model', value: 'm', tag_type: 'generic' })).body;
    await server.request('POST', tags, { key: 'model', value: 'n', tag_type: 'generic' });
    await server.request('POST', tags, { key: 'branch', value: 'b', tag_type: 'generic' });
    const toValues = (listed: readonly { value: string }[]) => listed.map(({ value }) => value).sort();
    expect(toValues((await server.request('GET', tags)).body)).toEqual(['b', 'n']);
    const changed = await server.request('PUT', `${tags}/${tag.id}`, { key: 'model', value: 'o', tag_type: 'generic' });
    expect(changed.body).toMatchObject({ id: tag.id, value: 'o', run_id: id, project_id });
    expect(toValues((await server.request('GET', `${path}/${id}`)).body.tags.model)).toEqual(['o']);
    expect((await server.request('DELETE', `${tags}/${tag.id}`)).body).toHaveProperty('message');
    expect((await server.request('GET', `${tags}/${tag.id}`)).status).toBe(404);
  });
});
