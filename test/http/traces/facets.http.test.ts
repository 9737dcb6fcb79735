import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let at: string;
let log_stream_id: string;
beforeAll(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
  const traces = ['a', 'b', 'b', 'c'].map((name, index) => ({
    name,
    input: `question ${index}`,
    tags: index === 0 ? ['x', 'y'] : ['x'],
    user_metadata: { tier: index % 2 === 0 ? 'free' : 'paid' },
    spans: [{ type: 'llm', name: 'ask', model: index === 3 ? 'big' : 'small', input: 'how?' }],
  }));
  expect((await post('traces', { traces })).status).toBe(200);
});
afterAll(() => server.close());

const post = (path: string, body: object) => server.request('POST', `${at}/${path}`, { log_stream_id, ...body });

it('counts the values of columns over what filters leave, the most frequent first', async () => {
  const column_ids = ['name', 'tags', 'user_metadata/tier', 'is_complete'];
  const { body } = await post('traces/facets', { column_ids });
  expect(body.total_count).toBe(4);
  expect(body.facets.slice(0, 3)).toEqual([
    {
      column_id: 'name',
      values: [
        { value: 'b', count: 2 },
        { value: 'a', count: 1 },
        { value: 'c', count: 1 },
      ],
      is_cut: false,
    },
    {
      column_id: 'tags',
      values: [
        { value: 'x', count: 4 },
        { value: 'y', count: 1 },
      ],
      is_cut: false,
    },
    {
      column_id: 'user_metadata/tier',
      values: [
        { value: 'free', count: 2 },
        { value: 'paid', count: 2 },
      ],
      is_cut: false,
    },
  ]);
  const filters = [{ type: 'text', column_id: 'name', operator: 'eq', value: 'b' }];
  const narrowed = await post('traces/facets', { column_ids: ['user_metadata/tier'], filters });
  expect(narrowed.body.facets[0].values.map(({ count }: { count: number }) => count)).toEqual([1, 1]);
});

it('says when a column has more values than it shows', async () => {
  const { body } = await post('traces/facets', { column_ids: ['name'], limit: 1 });
  expect(body.facets).toEqual([{ column_id: 'name', values: [{ value: 'b', count: 2 }], is_cut: true }]);
});

it('counts spans by columns of their own', async () => {
  const { body } = await post('spans/facets', { column_ids: ['model'] });
  expect(body.facets[0].values).toEqual([
    { value: 'small', count: 3 },
    { value: 'big', count: 1 },
  ]);
});

it('refuses columns without values to count, too many of them, and none', async () => {
  const refused = await post('traces/facets', { column_ids: ['name', 'created_at', 'nowhere'] });
  expect(refused.status).toBe(422);
  const wrong = [
    { column_ids: [] },
    { column_ids: Array.from({ length: 21 }, () => 'name') },
    { column_ids: ['name'], limit: 101 },
  ];
  for (const body of wrong) expect((await post('traces/facets', body)).status).toBe(422);
});

it('finds traces by the models of their calls, counts these, and tells and exports them', async () => {
  const model = (operator: string, value: unknown) => ({ type: 'text', column_id: 'model', operator, value });
  const inputs = async (filter: object) => {
    const { body } = await post('traces/search', { filters: [filter], include_models: true });
    return body.records.map(({ input, models }: { input: string; models: string[] }) => [input, models]);
  };
  expect(await inputs(model('eq', 'big'))).toEqual([['question 3', ['big']]]);
  expect(await inputs(model('not_in', ['small', 'other']))).toEqual([['question 3', ['big']]]);
  expect((await post('traces/count', { filters: [model('contains', 'mal')] })).body.total_count).toBe(3);
  const { body } = await post('traces/facets', { column_ids: ['model'], filters: [model('ne', 'big')] });
  expect(body.facets).toEqual([{ column_id: 'model', values: [{ value: 'small', count: 3 }], is_cut: false }]);
  const partly = await post('traces/partial_search', {
    include_models: true,
    limit: 1,
    select_columns: { column_ids: ['name'] },
  });
  expect(partly.body.records[0]).toMatchObject({ name: expect.any(String), models: expect.any(Array) });
  expect((await post('traces/search', { limit: 1 })).body.records[0]).not.toHaveProperty('models');
  const filters = [model('eq', 'big')];
  const exported = await post('export_records', { root_type: 'trace', column_ids: ['input', 'model'], filters });
  expect(JSON.parse(exported.body)).toEqual({ input: 'question 3', model: ['big'] });
});
