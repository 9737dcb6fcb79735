import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';

let server: TestServer;
let trends: string;

const prepare = async () => {
  const project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  const stream = `/v2/projects/${project_id}/log_streams`;
  const log_stream_id = (await server.request('POST', stream, { name: 'default' })).body.id;
  trends = `${stream}/${log_stream_id}/trends`;
  const span = (name: string, tier: string | undefined, input: string, duration_ns: number) => ({
    type: 'tool',
    name,
    input,
    created_at: '2026-01-01T10:00:00Z',
    status_code: duration_ns,
    tags: [name],
    user_metadata: tier === undefined ? {} : { tier },
    dataset_metadata: { topic: tier ?? '' },
    metrics: { duration_ns },
  });
  const spans = [
    span('Answer', 'gold', 'good day', 1),
    span('answer', 'silver', 'bad day', 10),
    span('look up', undefined, 'night', 100),
  ];
  const trace = { type: 'trace', input: 'q', created_at: '2026-01-01T10:00:00Z', spans };
  expect((await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces: [trace] })).status).toBe(
    200,
  );
  // Figures follow behind what is logged.
  while ((await server.cradle.recordIndex.advance(50)) > 0);
};

const series = (more: object) => ({
  name: 'sum',
  metric: 'duration_ns',
  aggregation: 'Sum',
  type: 'number',
  section_id: 's',
  dataset: [{ record_types: ['tool'], ...more }],
});
const leaf = (column_id: string, value: unknown, more: object = {}) => ({
  type: 'text',
  column_id,
  operator: 'eq',
  value,
  ...more,
});

/** Sum of those of the three spans that are drawn: 1, 10 and 100. */
async function drawn(more: object): Promise<number> {
  const made = await server.request('POST', `${trends}/widgets`, series(more));
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(made.body.dataset).toEqual([{ record_types: ['tool'], ...more }]);
  const time = { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z', exact: true };
  const data = await server.request('POST', `${trends}/widgets/${made.body.id}/query`, time);
  expect(data.body.problems).toEqual([]);
  return data.body.series[0].value ?? 0;
}

const NODE = { name: 'node_name' };
const METADATA = { name: 'metadata', filter_type: 'map', key: 'tier' };

/** A widget draws what its filters let through, in whichever form of the interface they are written. */
export function widgetFilterTests(adapter: string, start: () => Promise<TestServer>): void {
  describe(`filters of a widget, ${adapter}`, () => {
    beforeAll(async () => {
      server = await start();
      await prepare();
    });
    afterAll(() => server.close());

    it.each<[string, unknown, number]>([
      ['no filters', [], 111],
      ['null', null, 111],
      ['a value alone, as the shortest filter of the specification', [{ value: 'Answer' }], 1],
      ['a name of a node', [{ ...NODE, value: 'Answer', case_sensitive: true }], 1],
      ['a name of a node in any case', [{ ...NODE, value: 'Answer', case_sensitive: false, operator: null }], 11],
      ['a name of a node that is not it', [{ ...NODE, filter_type: 'string', operator: 'ne', value: 'Answer' }], 110],
      ['a part of the name of a node', [{ ...NODE, operator: 'contains', value: 'nswer' }], 11],
      ['metadata that are it', [{ ...METADATA, operator: 'eq', value: 'gold' }], 1],
      ['metadata that are not it', [{ ...METADATA, operator: 'ne', value: 'gold' }], 110],
      ['metadata among some', [{ ...METADATA, operator: 'one_of', value: ['gold', 'silver'] }], 11],
      ['metadata among none', [{ ...METADATA, operator: 'not_in', value: ['gold', 'silver'] }], 100],
      ['a column with its type', [leaf('name', 'answer')], 10],
      ['a column without its type', [{ column_id: 'status_code', operator: 'gte', value: 10 }], 110],
      ['a list of texts', [{ type: 'collection', column_id: 'tags', operator: 'contains', value: 'Answer' }], 1],
      ['a leaf of a tree', [{ filter: leaf('name', 'answer') }], 10],
      ['one or the other', [{ or: [{ filter: leaf('name', 'answer') }, { filter: leaf('name', 'look up') }] }], 110],
      ['both', [{ and: [{ filter: leaf('name', 'answer') }, leaf('input', 'bad', { operator: 'contains' })] }], 10],
      ['not', [{ not: { filter: leaf('name', 'answer') } }], 101],
      ['a tree in place of a list', { not: { or: [leaf('name', 'answer'), { ...NODE, value: 'look up' }] } }, 1],
      ['a column of a row', [{ column_name: 'input', value: 'day' }], 11],
      ['a column of a row that is not it', [{ column_name: 'input', operator: 'ne', value: 'bad day' }], 101],
      ['a column that the row brought along', [{ column_name: 'topic', operator: 'eq', value: 'gold' }], 1],
      ['a filter of lists', [{ name: 'input', operator: 'one_of', value: ['night', 'bad day'], case_sensitive: true }], 110],
      [
        'two forms at once',
        [leaf('name', 'answer', { case_sensitive: false }), { ...METADATA, operator: 'eq', value: 'gold' }],
        1,
      ],
    ])('of %s let through what they say', async (_, filters, sum) => {
      expect(await drawn({ filters })).toBe(sum);
    });

    it('may be a tree beside the list, and both have to hold', async () => {
      const filter_tree = { not: { filter: leaf('name', 'look up') } };
      expect(await drawn({ filter_tree })).toBe(11);
      expect(await drawn({ filter_tree, filters: [{ value: 'answer' }] })).toBe(10);
    });

    it.each<[string, unknown, (string | number)[]]>([
      ['metadata without a key', [{ name: 'metadata', operator: 'eq', value: 'gold' }], [0, 'key']],
      ['a column that no record has', [{ column_id: 'nope', value: 'x' }], [0, 'column_id']],
      ['a name of nothing', [{ name: 'nope', operator: 'eq', value: 'x' }], [0, 'name']],
      [
        'an operator that the type has not',
        [{ type: 'date', column_id: 'created_at', operator: 'contains', value: '2026-01-01T00:00:00Z' }],
        [0, 'operator'],
      ],
      ['a tree with such a leaf', [{ or: [{ filter: leaf('nope', 'x') }] }], [0, 'or', 0, 'filter', 'column_id']],
      ['nothing to filter by', [{}], [0, 'column_id']],
      ['no object', ['x'], [0]],
      ['51 of them', Array.from({ length: 51 }, () => ({ value: 'x' })), []],
    ])('are refused with their place for %s', async (_, filters, place) => {
      const { status, body } = await server.request('POST', `${trends}/widgets`, series({ filters }));
      expect(status).toBe(422);
      expect(body.detail.map(({ loc }: { loc: unknown }) => loc)).toContainEqual(['body', 'dataset', 0, 'filters', ...place]);
    });
  });
}
