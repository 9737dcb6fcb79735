import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entry } from '../../contracts/traces/record-stores.ts';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
  const spans = [
    { type: 'llm', name: 'ask', model: 'Big-1', input: 'how?' },
    { type: 'tool', name: 'look' },
  ];
  const traces = ['a', 'b', 'c'].map((name, index) => ({
    name,
    created_at: `2026-01-01T00:00:0${index}Z`,
    input: `question ${name}`,
    spans,
  }));
  expect((await post('traces', { log_stream_id, traces })).status).toBe(200);
});
afterEach(() => server.close());

const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const names = ({ body }: { body: { records: { name: string }[] } }) => body.records.map(({ name }) => name);
const search = (level: string, body: object = {}) => post(`${level}s/search`, { log_stream_id, ...body });

describe('searching records', () => {
  it('gives smaller pages where many scorers say something of each record', async () => {
    const [, , project_id = ''] = at.split('/').slice(1);
    const scorers = Array.from({ length: 200 }, (_, index) => entry({ name: `scorer ${index}` }));
    await server.cradle.metricSettingsStore.replace(project_id, log_stream_id, () => ({ scorers, segment_filters: [] }));
    expect((await search('trace', { limit: 1_000 })).body.limit).toBe(125);
    expect((await search('trace', { limit: 120 })).body.limit).toBe(120);
    expect((await post('sessions/search', { log_stream_id, limit: 1_000 })).body.limit).toBe(125);
  });

  it('ends a page of large records early, and goes on where it ended', async () => {
    const tags = ['large'];
    for (const name of ['p', 'q', 'r', 's']) {
      const traces = [{ name, tags, input: name.repeat(3 * 1024 * 1024) }];
      expect((await post('traces', { log_stream_id, traces })).status).toBe(200);
    }
    const filters = [{ type: 'collection', column_id: 'tags', operator: 'contains', value: 'large' }];
    const of = (level: string, body: object) => post(level, { log_stream_id, filters, limit: 50, ...body });
    const first = (await of('traces/search', {})).body;
    expect(names({ body: first })).toEqual(['s', 'r', 'q']);
    expect(first).toMatchObject({ limit: 50, paginated: true, next_starting_token: 3, last_row_id: first.records[2].id });
    for (const next of [{ starting_token: 3 }, { previous_last_row_id: first.last_row_id }]) {
      const { body } = await of('traces/search', next);
      expect([names({ body }), body.paginated, body.next_starting_token]).toEqual([['p'], false, null]);
    }
    const partly = await of('traces/partial_search', { select_columns: { column_ids: ['name'] } });
    expect([names(partly), partly.body.paginated]).toEqual([['s', 'r', 'q', 'p'], false]);
  });

  it('returns flat records, newest first, with all that a client pages by', async () => {
    const reply = await search('trace', {
      experiment_id: null,
      project_id: 'ignored',
      filters: null,
      filter_tree: null,
      sort: null,
      limit: null,
    });
    expect(reply.status).toBe(200);
    expect(names(reply)).toEqual(['c', 'b', 'a']);
    expect(reply.body).toMatchObject({ starting_token: 0, limit: 100, paginated: false, next_starting_token: null });
    expect(reply.body.last_row_id).toBe(reply.body.records.at(-1).id);
    expect(reply.body.records[0]).not.toHaveProperty('spans');
    expect(reply.body.records[0]).toMatchObject({
      type: 'trace',
      has_children: true,
      is_complete: true,
      metric_info: {},
      metrics: {},
    });
    const [span] = (await search('span', { sort: { column_id: 'name' } })).body.records;
    expect(span).toMatchObject({
      type: 'llm',
      name: 'ask',
      model: 'Big-1',
      tools: null,
      input: [{ role: 'user', content: 'how?' }],
    });
  });

  it('pages by offset and by the last record, to the same end', async () => {
    const first = await search('trace', { limit: 2 });
    expect(first.body).toMatchObject({ limit: 2, paginated: true, next_starting_token: 2 });
    const byOffset = await search('trace', { limit: 2, starting_token: 2 });
    const byLast = await search('trace', { limit: 2, previous_last_row_id: first.body.last_row_id.toUpperCase() });
    expect([names(first), names(byOffset), names(byLast)]).toEqual([['c', 'b'], ['a'], ['a']]);
    expect(byOffset.body).toMatchObject({ starting_token: 2, paginated: false, next_starting_token: null });
    expect((await search('trace', { starting_token: 9 })).body).toMatchObject({ records: [], last_row_id: null });
  });

  it('filters as clients ask, and counts the same', async () => {
    const filters = [{ type: 'text', column_id: 'input', operator: 'contains', value: 'QUESTION B', case_sensitive: false }];
    expect(
      names(await search('trace', { filters, sort: { column_id: 'created_at', ascending: false, sort_type: 'column' } })),
    ).toEqual(['b']);
    expect((await post('traces/count', { log_stream_id, filters })).body).toEqual({ total_count: 1 });
    const filter_tree = {
      or: [{ filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'a' } }, { not: { filter: filters[0] } }],
    };
    expect(names(await search('trace', { filter_tree }))).toEqual(['c', 'a']);
    expect(
      (
        await post('spans/count', {
          log_stream_id,
          filters: [{ type: 'text', column_id: 'model', operator: 'eq', value: 'Big-1' }],
        })
      ).body.total_count,
    ).toBe(3);
  });

  it('is 404 for an unknown run or project', async () => {
    for (const path of ['traces/search', 'spans/count']) {
      expect(await post(path, { log_stream_id: randomUUID() })).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
      const elsewhere = `/v2/projects/${randomUUID()}/${path}`;
      expect((await server.request('POST', elsewhere, { log_stream_id })).status).toBe(404);
    }
  });
});

const RATINGS = ['feedback_rating_info', 'annotations', 'annotation_aggregates', 'annotation_truths'];

describe('searching for parts of records', () => {
  const partly = (level: string, select_columns: object, body: object = {}) =>
    post(`${level}s/partial_search`, { log_stream_id, sort: { column_id: 'created_at' }, ...body, select_columns });
  const one = async (level: string, select_columns: object) => (await partly(level, select_columns)).body.records[0];

  it('returns type, id and the selected columns only', async () => {
    const [full] = (await search('trace', { sort: { column_id: 'created_at' } })).body.records;
    expect(await one('trace', {})).toEqual({ type: 'trace', id: full.id });
    const some = await one('trace', { column_ids: ['name', 'input', 'output', 'is_complete'], include_all_metrics: null });
    expect(some).toEqual({ type: 'trace', id: full.id, name: 'a', input: 'question a', output: null, is_complete: true });
    const standard = Object.keys(full).filter((name) => !['redacted_input', 'redacted_output'].includes(name));
    const fields = standard.filter(
      (name) => !name.endsWith('metadata') && ![...RATINGS, 'metrics', 'metric_info', 'files'].includes(name),
    );
    const all = await one('trace', { column_ids: fields.filter((name) => name !== 'type') });
    expect(all).toEqual(Object.fromEntries(fields.map((name) => [name, full[name]])));
    const spans = (await partly('span', { column_ids: ['model', 'tool_call_id'] }, { sort: { column_id: 'name' }, limit: 4 }))
      .body.records;
    expect([spans[0], spans[3]]).toEqual([
      { type: 'llm', id: expect.any(String), model: 'Big-1' },
      { type: 'tool', id: expect.any(String), tool_call_id: null },
    ]);
  });

  it('picks metrics, scores and metadata by name', async () => {
    const id = randomUUID();
    const own = { metrics: { rating: 1, other: 2 }, user_metadata: { team: 'a', role: 'b' }, dataset_metadata: { row: '1' } };
    await post('traces', { log_stream_id, traces: [{ id, created_at: '2025-01-01T00:00:00Z', ...own }] });
    await server.cradle.scoreStore.insert([
      ...['rating', 'tone'].map((metric_name) => ({
        ...{ project_id: at.split('/')[3]!, run_id: log_stream_id, record_id: id, metric_name, value: 0.5 },
        ...{ scorer_id: randomUUID(), scorer_version_id: randomUUID(), status_type: 'success' as const },
        ...{ explanation: null, message: null, effort: null, judged: null, scored_at: '2026-01-01T00:00:00.000Z' },
      })),
    ]);
    const column_ids = ['metrics/rating', 'metrics/none', 'user_metadata/team', 'dataset_metadata/none'];
    expect(await one('trace', { column_ids })).toEqual({
      type: 'trace',
      id,
      metrics: { rating: 1 },
      metric_info: { rating: expect.objectContaining({ status_type: 'success', value: 0.5 }) },
      user_metadata: { team: 'a' },
      dataset_metadata: {},
    });
    const all = await one('trace', { include_all_metrics: true, include_all_feedback: true });
    const ratings = { feedback_rating_info: {}, annotations: {}, annotation_aggregates: {}, annotation_truths: {} };
    expect(all).toEqual({ type: 'trace', id, metrics: own.metrics, metric_info: expect.any(Object), ...ratings });
    expect(Object.keys(all.metric_info).sort()).toEqual(['rating', 'tone']);
  });

  it('filters, sorts and pages by columns that are not selected', async () => {
    const filters = [{ type: 'text', column_id: 'input', operator: 'ne', value: 'question b' }];
    const select = { column_ids: ['name'] };
    const sorted = await partly('trace', select, { filters, sort: { column_id: 'input', ascending: false } });
    expect(names(sorted)).toEqual(['c', 'a']);
    const first = await partly('trace', select, { limit: 2 });
    expect(first.body).toMatchObject({ paginated: true, next_starting_token: 2, last_row_id: first.body.records[1].id });
    expect(names(await partly('trace', select, { limit: 2, starting_token: 2 }))).toEqual(['c']);
  });

  it('refuses unknown columns at their place, and a request that selects nothing', async () => {
    const reply = await partly('span', { column_ids: ['name', 'nothing', 'metrics/x', 'metrics/'] });
    expect(reply).toMatchObject({ status: 422, body: { code: 'column_unknown' } });
    expect(reply.body.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
      ['body', 'select_columns', 'column_ids', 1],
      ['body', 'select_columns', 'column_ids', 3],
    ]);
    expect((await post('traces/partial_search', { log_stream_id })).body.detail[0].loc).toEqual(['body', 'select_columns']);
    expect((await partly('trace', {}, { log_stream_id: randomUUID() })).status).toBe(404);
  });
});

describe('what a search may ask for besides', () => {
  it('shortens long texts of payloads when asked to', async () => {
    const input = 'long '.repeat(1_000);
    const spans = [{ type: 'llm', input: [{ role: 'user', content: input }] }];
    await post('traces', { log_stream_id, traces: [{ created_at: '2025-01-01T00:00:00Z', input, dataset_input: input, spans }] });
    const sort = { column_id: 'created_at' };
    const [trace] = (await search('trace', { sort, truncate_fields: true })).body.records;
    expect(trace).toMatchObject({ input: `${input.slice(0, 999)}…`, dataset_input: input });
    const [span] = (await search('span', { sort, truncate_fields: true })).body.records;
    expect(span.input).toEqual([{ role: 'user', content: `${input.slice(0, 999)}…` }]);
    expect((await search('trace', { sort })).body.records[0].input).toBe(input);
  });

  it('counts the spans of each trace when asked to', async () => {
    await post('traces', { log_stream_id, traces: [{ created_at: '2025-01-01T00:00:00Z', name: 'bare' }] });
    const counts = ({ body }: { body: { records: { num_spans?: number }[] } }) => body.records.map(({ num_spans }) => num_spans);
    expect(counts(await search('trace', { include_counts: true }))).toEqual([2, 2, 2, 0]);
    expect(counts(await search('trace'))).toEqual([undefined, undefined, undefined, undefined]);
    expect(counts(await search('span', { include_counts: true, limit: 1 }))).toEqual([undefined]);
  });
});

const leaf = { filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'a' } };
const text = (more: object) => ({ filters: [{ type: 'text', column_id: 'name', operator: 'eq', value: 'a', ...more }] });
const id = '11111111-1111-4111-8111-111111111111';

describe('a search that makes no sense', () => {
  it.each<[object, (string | number)[]]>([
    [{ filters: [{ column_id: 'name', operator: 'eq', value: 'a' }] }, ['filters', 0, 'type']],
    [text({ column_id: 'nothing' }), ['filters', 0, 'column_id']],
    [text({ column_id: "name'; drop table records" }), ['filters', 0, 'column_id']],
    [text({ column_id: '__proto__' }), ['filters', 0, 'column_id']],
    [text({ column_id: 'metrics/' }), ['filters', 0, 'column_id']],
    [text({ column_id: 'status_code' }), ['filters', 0, 'type']],
    [text({ operator: 'regex' }), ['filters', 0, 'operator']],
    [text({ operator: 'contains', value: ['a'] }), ['filters', 0, 'value']],
    [text({ value: 'a\0' }), ['filters', 0, 'value']],
    [text({ value: '\ud83e' }), ['filters', 0, 'value']],
    [text({ value: 7 }), ['filters', 0, 'value']],
    [text({ operator: 'one_of', value: Array.from({ length: 1_001 }, () => 'x') }), ['filters', 0, 'value']],
    [{ filters: [{ type: 'number', column_id: 'status_code', operator: 'between', value: [1] }] }, ['filters', 0, 'value']],
    [{ filters: [{ type: 'number', column_id: 'status_code', operator: 'between', value: 1 }] }, ['filters', 0, 'value']],
    [{ filters: [{ type: 'number', column_id: 'status_code', operator: 'eq', value: '1' }] }, ['filters', 0, 'value']],
    [{ filters: [{ type: 'date', column_id: 'created_at', operator: 'gt', value: 'infinity' }] }, ['filters', 0, 'value']],
    [{ filters: [{ type: 'id', column_id: 'id', value: 'x' }] }, ['filters', 0, 'value']],
    [{ filters: [{ type: 'boolean', column_id: 'is_complete', value: 'true' }] }, ['filters', 0, 'value']],
    [{ filters: {} }, ['filters']],
    [
      { filter_tree: { and: [leaf, { not: { filter: { ...leaf.filter, column_id: 'x' } } }] } },
      ['filter_tree', 'and', 1, 'not', 'filter', 'column_id'],
    ],
    [{ filter_tree: { xor: [leaf] } }, ['filter_tree']],
    [
      { filter_tree: { and: Array.from({ length: 40 }, () => ({ or: Array.from({ length: 40 }, () => leaf) })) } },
      ['filter_tree'],
    ],
    [{ sort: { column_id: 'tags' } }, ['sort', 'column_id']],
    [{ sort: { column_id: 'password' } }, ['sort', 'column_id']],
    [{ sort: { column_id: 'name', ascending: 'desc' } }, ['sort', 'ascending']],
    [{ sort: {} }, ['sort', 'column_id']],
    [{ limit: 0 }, ['limit']],
    [{ limit: 1.5 }, ['limit']],
    [{ limit: '10' }, ['limit']],
    [{ starting_token: -1 }, ['starting_token']],
    [{ starting_token: 1e20 }, ['starting_token']],
    [{ previous_last_row_id: 'x' }, ['previous_last_row_id']],
    [{ log_stream_id: null }, ['log_stream_id']],
    [{ experiment_id: id }, ['log_stream_id']],
  ])('%j is refused at its place', async (body, loc) => {
    const reply = await search('trace', body);
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0].loc.slice(0, loc.length + 1)).toEqual(['body', ...loc]);
  });

  it('that is larger than any sensible one is refused before it is read', async () => {
    const filter_tree = { and: Array.from({ length: 900 }, () => ({ and: Array.from({ length: 900 }, () => ({ or: [] })) })) };
    expect((await search('trace', { filter_tree })).status).toBe(413);
    expect((await post('spans/count', { log_stream_id, filter_tree })).status).toBe(413);
  });
});
