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
