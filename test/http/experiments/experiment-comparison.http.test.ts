import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let project_id: string;
let path: string;
beforeAll(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: `p ${randomUUID()}` })).body.id;
  path = `/v2/projects/${project_id}/experiments`;
});
afterAll(() => server.close());

const rows = ['a', 'b', 'c', 'd'].map((input) => ({ input, id: randomUUID() }));
/** An experiment whose rows have these qualities; the last row has no id. */
async function experiment(qualities: readonly (number | null)[]): Promise<string> {
  const { id } = (await server.request('POST', path, { name: `e ${randomUUID()}` })).body;
  const traces = qualities.map((quality, at) => ({
    input: rows[at]!.input,
    output: `answer ${quality}`,
    dataset_input: rows[at]!.input,
    dataset_metadata: at < 3 ? { dataset_row_id: rows[at]!.id } : {},
    metrics: { duration_ns: 100 + at, ...(quality !== null && { quality }) },
  }));
  const logged = await server.request('POST', `/v2/projects/${project_id}/traces`, { experiment_id: id, traces });
  expect(logged.status).toBe(200);
  return id;
}
const compare = async (baseline_id: string, candidate_id: string, more: object = {}) =>
  server.request('POST', `${path}/compare`, { baseline_id, candidate_id, ...more });

describe('two experiments', () => {
  it('are compared row by row, the rows that changed most first', async () => {
    const [before, after] = [await experiment([0.5, 0.5, 0.25, 1]), await experiment([0.75, 0.5, 1, 0.5])];
    const { status, body } = await compare(before, after, { limit: 2 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      baseline: { id: before, rows: 4 },
      candidate: { id: after, rows: 4 },
      joined_rows: 4,
      joined_by_row_id: 3,
      joined_by_input: 1,
      only_in_baseline: 0,
      only_in_candidate: 0,
      metric: 'quality',
      paginated: true,
      next_starting_token: 2,
    });
    expect(body.metrics).toMatchObject([
      { name: 'duration_ns', lower_is_better: true, mean_difference: 0, equal: { rows: 4 }, test: { p_value: 1 } },
      {
        name: 'quality',
        n: 4,
        mean_difference: 0.125,
        improved: { rows: 2, share: 0.5 },
        worse: { rows: 1 },
        equal: { rows: 1 },
      },
    ]);
    expect(body.changes).toMatchObject([
      {
        row_id: rows[2]!.id,
        dataset_input: 'c',
        difference: 0.75,
        baseline: { value: 0.25, output: 'answer 0.25' },
        candidate: { value: 1, output: 'answer 1' },
      },
      { row_id: null, dataset_input: 'd', difference: -0.5 },
    ]);
    const rest = await compare(before, after, { limit: 2, starting_token: 2 });
    expect(rest.body).toMatchObject({ changes: [{ dataset_input: 'a', difference: 0.25 }], paginated: false });
  });

  it('leave out rows without a metric, and rows that only one has', async () => {
    const [before, after] = [await experiment([0.5, null]), await experiment([0.5, 1, 1])];
    const { body } = await compare(before, after, { metric: 'quality', lower_is_better: ['quality'] });
    expect(body).toMatchObject({ joined_rows: 2, only_in_candidate: 1, changes: [] });
    expect(body.metrics.at(-1)).toMatchObject({ name: 'quality', n: 1, interval: null, lower_is_better: true });
  });

  it('have nothing to compare where they share nothing', async () => {
    const [before, after] = [await experiment([]).catch(() => ''), await experiment([1])];
    expect(before).toBe('');
    const { id } = (await server.request('POST', path, { name: 'empty' })).body;
    expect((await compare(id, after)).body).toMatchObject({ joined_rows: 0, metrics: [], metric: null, changes: [] });
    expect(await compare(id, after, { metric: 'quality' })).toMatchObject({ status: 422, body: { code: 'metric_not_shared' } });
    expect(await compare(id, randomUUID())).toMatchObject({ status: 404, body: { code: 'experiment_not_found' } });
    expect((await compare(id, after, { confidence: 1 })).status).toBe(422);
  });
});

describe('metrics of experiments', () => {
  it('tell how results are spread, in one experiment and in all', async () => {
    const id = await experiment([1, 1, 0.5]);
    const { cradle } = server;
    const records = await cradle.runScores.traces(project_id, id, 10);
    const facts = { status_type: 'success', explanation: null, message: null, effort: null, judged: null } as const;
    await cradle.scoreStore.insert(
      records.map(({ trace_id, dataset_input }) => ({
        ...facts,
        project_id,
        run_id: id,
        record_id: trace_id,
        scorer_id: randomUUID(),
        scorer_version_id: randomUUID(),
        metric_name: 'tone',
        value: dataset_input === 'a' ? 'rude' : 'kind',
        scored_at: new Date().toISOString(),
      })),
    );
    const tone = [{ name: 'tone', buckets: { kind: 2, rude: 1 }, average: null }];
    expect((await server.request('POST', `${path}/${id}/metrics`, { filters: [] })).body).toEqual({ metrics: tone });
    expect((await server.request('POST', `${path}/metrics`)).body).toEqual({ metrics: tone });
    const filters = [{ type: 'text', column_id: 'dataset_input', operator: 'eq', value: 'a' }];
    expect((await server.request('POST', `${path}/${id}/metrics`, { filters })).body.metrics[0].buckets).toEqual({ rude: 1 });
    const unknown = [{ type: 'text', column_id: 'nothing', operator: 'eq', value: 'a' }];
    expect((await server.request('POST', `${path}/${id}/metrics`, { filters: unknown })).status).toBe(422);
  });

  it('are columns of the list, beside tags', async () => {
    const id = await experiment([1]);
    await server.request('POST', `${path}/${id}/tags`, { key: 'model', value: 'm', tag_type: 'generic' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await server.request('POST', `${path}/available_columns?project_id=${project_id}`, undefined, { headers });
    const byId = new Map(body.columns.map((column: { id: string }) => [column.id, column]));
    expect(byId.get('metrics/quality')).toMatchObject({ category: 'metric', data_type: 'floating_point' });
    expect(byId.get('tags/model')).toMatchObject({ category: 'tags', data_type: 'tag' });
    expect(byId.get('name')).toMatchObject({ sortable: true, filterable: true });
    expect(byId.size).toBe(body.columns.length);
  });
});
