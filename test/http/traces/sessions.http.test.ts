import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let project_id: string;
let log_stream_id: string;
let at: string;
beforeEach(async () => {
  ({ server, project_id, at, log_stream_id } = await startWithLogStream());
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', `${at}/${path}`);
const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const create = (more: object = {}) => post('sessions', { log_stream_id, ...more });
const search = (more: object = {}) => post('sessions/search', { log_stream_id, ...more });
const log = (traces: unknown, more: object = {}) => post('traces', { log_stream_id, traces, ...more });
const total = async (what: string, more: object = {}) =>
  (await post(`${what}/count`, { log_stream_id, ...more })).body.total_count;
const isMarked = async () => (await get(`log_streams/${log_stream_id}`)).body.has_user_created_sessions;

describe('creating a session', () => {
  it('returns what was made, and marks the log stream', async () => {
    const first = await create({ name: 'first' });
    expect(first).toMatchObject({ status: 200 });
    expect(first.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      name: 'first',
      project_id,
      project_name: 'Atlas',
      previous_session_id: null,
      external_id: null,
    });
    const second = await create({ previous_session_id: first.body.id.toUpperCase(), external_id: 'e', name: null });
    expect(second.body).toMatchObject({ name: null, previous_session_id: first.body.id, external_id: 'e' });
    expect(await isMarked()).toBe(true);
  });

  it('returns the session of the external id that exists already, to all who race', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ external_id: 'chat 7' })));
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect((await create({ external_id: 'chat 7', name: 'late' })).body).toMatchObject({ id: replies[0]!.body.id, name: null });
    const other = (await post('log_streams', { name: 'other' })).body.id;
    const elsewhere = await post('sessions', { log_stream_id: other, external_id: 'chat 7' });
    expect(elsewhere.body.id).not.toBe(replies[0]!.body.id);
  });

  it('takes an empty external id for none', async () => {
    const ids = [await create({ external_id: '' }), await create({ external_id: '' })].map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(2);
  });

  it('follows a session of the same run only', async () => {
    const other = (await post('log_streams', { name: 'other' })).body.id;
    const foreign = (await post('sessions', { log_stream_id: other })).body.id;
    for (const previous_session_id of [foreign, randomUUID()]) {
      const reply = await create({ previous_session_id });
      expect(reply).toMatchObject({ status: 422, body: { code: 'previous_session_unknown' } });
      expect(reply.body.detail[0].loc).toEqual(['body', 'previous_session_id']);
    }
    const alone = randomUUID();
    await log([{ id: alone }]);
    expect((await create({ previous_session_id: alone })).status).toBe(200);
  });

  it.each<[object, (string | number)[]]>([
    [{ log_stream_id: null }, ['log_stream_id']],
    [{ experiment_id: randomUUID() }, ['log_stream_id']],
    [{ name: 'a\0' }, ['name']],
    [{ name: 7 }, ['name']],
    [{ external_id: '\ud83e' }, ['external_id']],
    [{ external_id: 'x'.repeat(513) }, ['external_id']],
    [{ previous_session_id: 'x' }, ['previous_session_id']],
    [{ user_metadata: 'x' }, ['user_metadata']],
    [{ user_metadata: [] }, ['user_metadata']],
  ])('with %j is refused at its place', async (body, loc) => {
    const reply = await create(body);
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0].loc).toEqual(['body', ...loc]);
    expect(await isMarked()).toBe(false);
  });

  it('refuses a number that cannot be given back', async () => {
    const raw = `{"log_stream_id":"${log_stream_id}","user_metadata":{"a":{"b":1e400}}}`;
    const reply = await server.request('POST', `${at}/sessions`, {}, { raw });
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0].loc).toEqual(['body', 'user_metadata', 'a', 'b']);
  });

  it('in a run or project that is not there is 404', async () => {
    expect(await create({ log_stream_id: randomUUID() })).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect((await server.request('POST', `/v2/projects/${randomUUID()}/sessions`, { log_stream_id })).status).toBe(404);
  });
});

describe('what a client sends to start a session', () => {
  const asSent = { operator: 'eq', value: 'ext-1', type: 'text' };
  const find = () =>
    server.request('POST', `/projects/${project_id}/sessions/search?project_id=${project_id}`, {
      filters: [{ column_id: 'external_id', ...asSent }],
      limit: 1,
      log_stream_id,
    });

  it('finds none, creates one, finds it directly, and logs to it', async () => {
    expect((await find()).body).toMatchObject({ records: [], last_row_id: null, paginated: false, next_starting_token: null });
    const created = await server.request('POST', `/projects/${project_id}/sessions?project_id=${project_id}`, {
      log_stream_id,
      name: 'support',
      previous_session_id: undefined,
      external_id: 'ext-1',
      user_metadata: {},
    });
    const session_id = created.body.id;
    expect((await find()).body.records).toMatchObject([{ id: session_id, external_id: 'ext-1' }]);
    const trace = { type: 'trace', id: randomUUID(), external_id: 'ext-1', input: 'hi', output: 'hello', spans: [] };
    expect((await log([trace], { session_id })).body.session_id).toBe(session_id);
    expect((await find()).body.records).toMatchObject([{ id: session_id, input: 'hi', output: 'hello' }]);
  });
});

describe('logging by external id', () => {
  it('finds or makes the session, whoever comes first', async () => {
    const traces = () => [{ id: randomUUID(), spans: [{ type: 'tool' }] }, {}];
    const replies = await Promise.all(Array.from({ length: 8 }, () => log(traces(), { session_external_id: 'chat 7' })));
    const [id, ...others] = new Set(replies.map(({ body }) => body.session_id));
    expect(others).toEqual([]);
    expect((await create({ external_id: 'chat 7' })).body.id).toBe(id);
    expect((await search({ include_counts: true })).body.records).toMatchObject([{ id, external_id: 'chat 7', num_traces: 16 }]);
    const { trace_ids } = replies[3]!.body;
    expect((await get(`traces/${trace_ids[0]}`)).body).toMatchObject({ session_id: id, spans: [{ session_id: id }] });
  });

  it('does not count as a session that a user created', async () => {
    await log([{}], { session_external_id: 'chat 7' });
    expect(await isMarked()).toBe(false);
  });

  it('lets the session of a trace win', async () => {
    const own = randomUUID();
    const reply = await log([{ session_id: own }, {}], { session_external_id: 'chat 7' });
    const [first, second] = await Promise.all(reply.body.trace_ids.map((id: string) => get(`traces/${id}`)));
    expect([first.body.session_id, second.body.session_id]).toEqual([own, reply.body.session_id]);
  });

  it('makes it under the id that is given too, and refuses two different sessions', async () => {
    const session_id = randomUUID();
    expect((await log([{}], { session_external_id: 'a', session_id })).body.session_id).toBe(session_id);
    expect((await log([{}], { session_external_id: 'a', session_id: session_id.toUpperCase() })).status).toBe(200);
    for (const more of [
      { session_external_id: 'a', session_id: randomUUID() },
      { session_external_id: 'b', session_id },
    ]) {
      const reply = await log([{}], more);
      expect(reply).toMatchObject({ status: 422, body: { code: 'session_ambiguous' } });
      expect(reply.body.detail[0].loc).toEqual(['body', 'session_external_id']);
    }
    expect([await total('traces'), await total('sessions')]).toEqual([2, 1]);
  });

  it('leaves no session behind for a batch that is refused', async () => {
    expect((await log([{ id: 'x' }], { session_external_id: 'chat 7' })).status).toBe(422);
    expect(await total('sessions')).toBe(0);
  });

  it('refuses a name that nobody could ask for', async () => {
    expect((await log([{}], { session_external_id: 'a\0' })).body.detail[0].loc).toEqual(['body', 'session_external_id']);
    expect((await log([{}], { session_external_id: '' })).status).toBe(200);
  });
});

describe('searching sessions', () => {
  it('shows a created one, a derived one and a trace alone, newest first', async () => {
    const created = (await create({ name: 'made', external_id: 'e', user_metadata: { a: { b: [1] } } })).body.id;
    const [session_id, alone] = [randomUUID(), randomUUID()];
    const facts = { created_at: '2026-01-02T00:00:00Z', input: 'in', metrics: { durationNs: 5 } };
    await log([{ ...facts, session_id, spans: [{ type: 'tool', metrics: { duration_ns: 3 } }] }], { is_complete: false });
    await log([{ id: alone, name: 'alone', created_at: '2026-01-01T00:00:00Z', output: 'out' }]);
    const reply = await search({ include_counts: true });
    expect(reply.body).toMatchObject({ starting_token: 0, limit: 100, paginated: false, next_starting_token: null });
    expect(reply.body.last_row_id).toBe(alone);
    const common = {
      type: 'session',
      project_id,
      run_id: log_stream_id,
      updated_at: expect.any(String),
      ...{ metric_info: {}, feedback_rating_info: {}, annotations: {}, annotation_aggregates: {}, annotation_truths: {} },
      num_comments: 0,
      tags: [],
    };
    const nothing = { name: null, external_id: null, previous_session_id: null, user_metadata: {}, metrics: {} };
    expect(reply.body.records).toEqual([
      {
        ...{
          ...common,
          ...nothing,
          id: created,
          session_id: created,
          name: 'made',
          external_id: 'e',
          created_at: expect.any(String),
        },
        ...{
          user_metadata: { a: { b: [1] } },
          input: '',
          output: null,
          has_children: false,
          is_complete: true,
          is_implicit: false,
          num_traces: 0,
        },
      },
      {
        ...{
          ...common,
          ...nothing,
          id: session_id,
          session_id,
          created_at: '2026-01-02T00:00:00.000Z',
          metrics: { duration_ns: 5 },
        },
        ...{ input: 'in', output: null, has_children: true, is_complete: false, is_implicit: false, num_traces: 1 },
      },
      {
        ...{ ...common, ...nothing, id: alone, session_id: alone, name: 'alone', created_at: '2026-01-01T00:00:00.000Z' },
        ...{ input: '', output: 'out', has_children: true, is_complete: true, is_implicit: true, num_traces: 1 },
      },
    ]);
    expect((await search()).body.records.map(({ num_traces }: { num_traces: unknown }) => num_traces)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('finds those of several turns, or of a cost, by filter and tree, in order, counted and exported', async () => {
    const [long, short] = [randomUUID(), randomUUID()];
    const call = { type: 'llm', metrics: { num_input_tokens: 5 }, user_metadata: {} };
    await log([
      { session_id: long, spans: [call] },
      { session_id: long, spans: [call] },
      { session_id: short, spans: [call] },
    ]);
    const turns = { type: 'number', column_id: 'num_traces', operator: 'gte', value: 2 };
    const tokens = { type: 'number', column_id: 'metrics/num_input_tokens', operator: 'lt', value: 10 };
    const found = async (body: object) => (await search(body)).body.records.map(({ id }: { id: string }) => id);
    expect(await found({ filters: [turns] })).toEqual([long]);
    expect(await found({ filter_tree: { or: [{ not: { filter: turns } }, { filter: tokens }] } })).toEqual([short]);
    expect(await found({ sort: { column_id: 'num_traces', ascending: true } })).toEqual([short, long]);
    expect((await post('sessions/count', { log_stream_id, filters: [turns] })).body.total_count).toBe(1);
    const select_columns = { column_ids: ['num_traces', 'metrics/num_input_tokens'] };
    const partly = await post('sessions/partial_search', { log_stream_id, filters: [turns], select_columns });
    expect(partly.body.records).toEqual([
      { type: 'session', id: long, num_traces: 2, metrics: { num_input_tokens: 10 }, metric_info: {} },
    ]);
    const columns = { column_ids: ['id', 'num_traces', 'metrics/num_input_tokens'], export_format: 'csv' };
    const exported = await post('export_records', { log_stream_id, root_type: 'session', filters: [turns], ...columns });
    expect(exported.body.trim().split(/\r?\n/)).toEqual(['id,num_traces,metrics/num_input_tokens', `${long},2,10`]);
    const misfit = await search({ filters: [{ ...turns, type: 'text', operator: 'eq', value: '2' }] });
    expect(misfit.status).toBe(422);
    expect(misfit.body.detail[0]).toMatchObject({ type: 'filter_type_mismatch' });
    const ofTraces = await post('traces/search', { log_stream_id, filters: [turns] });
    expect(ofTraces.status).toBe(422);
  });

  it('leaves out those that traces are by themselves, listed, counted, exported and deleted alike', async () => {
    const [talk, alone] = [randomUUID(), randomUUID()];
    await log([{ session_id: talk }, { id: alone }]);
    const named = (await create({ name: 'made' })).body.id;
    const filters = [{ type: 'boolean', column_id: 'is_implicit', operator: 'eq', value: false }];
    const found = async (body: object) => (await search(body)).body.records.map(({ id }: { id: string }) => id);
    expect(await found({ filters })).toEqual([named, talk]);
    expect(await found({ filter_tree: { not: { filter: filters[0] } } })).toEqual([alone]);
    expect(await total('sessions', { filters })).toBe(2);
    const partly = await post('sessions/partial_search', { log_stream_id, select_columns: { column_ids: ['is_implicit'] } });
    expect(partly.body.records).toContainEqual({ type: 'session', id: alone, is_implicit: true });
    const wanted = { export_format: 'csv', column_ids: ['id', 'is_implicit'], sort: { column_id: 'id' } };
    const exported = await post('export_records', { log_stream_id, root_type: 'session', filters, ...wanted });
    expect(exported.body.trim().split(/\r?\n/)).toEqual(['id,is_implicit', ...[named, talk].sort().map((id) => `${id},false`)]);
    expect((await get(`sessions/${alone}`)).body).toMatchObject({ id: alone, is_implicit: true });
    expect((await post('sessions/delete', { log_stream_id, filters })).body).toMatchObject({ sessions: 2, traces: 1 });
    expect(await found({})).toEqual([alone]);
  });

  it('goes page by page, by token and behind a row', async () => {
    const ids: string[] = [];
    for (const day of [1, 2, 3, 4, 5]) {
      const trace = {
        id: randomUUID(),
        created_at: `2026-01-0${day}T00:00:00Z`,
        ...(day % 2 ? {} : { session_id: randomUUID() }),
      };
      await log([trace]);
      ids.unshift('session_id' in trace ? trace.session_id! : trace.id);
    }
    const first = await search({ limit: 2 });
    expect(first.body).toMatchObject({ paginated: true, next_starting_token: 2, last_row_id: ids[1] });
    const page = async (more: object) => (await search(more)).body.records.map(({ id }: { id: string }) => id);
    expect(await page({ limit: 2, starting_token: 2 })).toEqual(ids.slice(2, 4));
    expect(await page({ limit: 2, previous_last_row_id: ids[1] })).toEqual(ids.slice(2, 4));
    expect(await page({ sort: { column_id: 'created_at' }, limit: 3 })).toEqual(ids.toReversed().slice(0, 3));
  });

  const filter = (column_id: string, more: object = {}) => ({ type: 'text', column_id, operator: 'eq', value: 'a', ...more });
  it.each<[object, (string | number)[]]>([
    [{ filters: [filter('status_code', { type: 'number', value: 1 })] }, ['filters', 0, 'column_id']],
    [{ filters: [filter('name'), filter('tags', { type: 'collection' })] }, ['filters', 1, 'column_id']],
    [{ filters: [filter('trace_id')] }, ['filters', 0, 'column_id']],
    [{ filters: [filter('metrics/accuracy', { type: 'number', value: 1 })] }, ['filters', 0, 'column_id']],
    [{ filters: [filter('dataset_metadata/a')] }, ['filters', 0, 'column_id']],
    [{ filters: [filter('user_metadata/')] }, ['filters', 0, 'column_id']],
    [{ filters: [filter('nothing')] }, ['filters', 0, 'column_id']],
    [{ filters: [filter('name', { type: 'number', value: 1 })] }, ['filters', 0, 'type']],
    [{ filter_tree: { or: [{ not: { filter: filter('model') } }] } }, ['filter_tree', 'or', 0, 'not', 'filter', 'column_id']],
    [{ filters: [filter('is_implicit')] }, ['filters', 0, 'type']],
    [{ filters: [filter('metrics/is_implicit', { type: 'boolean', value: true })] }, ['filters', 0, 'column_id']],
    [{ sort: { column_id: 'is_implicit' } }, ['sort', 'column_id']],
    [{ sort: { column_id: 'updated_at' } }, ['sort', 'column_id']],
  ])('%j is refused at its place, for counting and deleting too', async (body, loc) => {
    await log([{}]);
    for (const what of 'sort' in body ? ['search'] : ['search', 'count', 'delete']) {
      const reply = await post(`sessions/${what}`, { log_stream_id, ...body });
      expect(reply.status).toBe(422);
      expect(reply.body.detail[0].loc).toEqual(['body', ...loc]);
    }
    expect(await total('sessions')).toBe(1);
  });
});

describe('searching sessions for some columns', () => {
  const partly = (select_columns: object, more: object = {}) =>
    post('sessions/partial_search', { log_stream_id, select_columns, ...more });

  it('returns these with type and id, and nothing else', async () => {
    const session = (await create({ name: 'first', user_metadata: { team: 'a', city: 'b' } })).body.id;
    await log([{ input: 'question', output: 'answer' }], { session_id: session });
    const { body } = await partly({ column_ids: ['name', 'input', 'user_metadata/team', 'dataset_metadata/none'] });
    const maps = { user_metadata: { team: 'a' }, dataset_metadata: {} };
    expect(body).toMatchObject({ paginated: false, last_row_id: session });
    expect(body.records).toEqual([{ type: 'session', id: session, name: 'first', input: 'question', ...maps }]);
  });

  it('refuses columns that do not exist, and shortens long texts when asked to', async () => {
    const unknown = await partly({ column_ids: ['name', 'colour'] });
    expect(unknown).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'select_columns', 'column_ids', 1] }] } });
    await log([{ input: 'x'.repeat(5_000) }]);
    const [short] = (await partly({ column_ids: ['input'] }, { truncate_fields: true })).body.records;
    expect(short.input).toHaveLength(1_000);
    expect((await search({ truncate_fields: true })).body.records[0].input).toHaveLength(1_000);
    expect((await search()).body.records[0].input).toHaveLength(5_000);
  });
});

describe('a session', () => {
  it('is shown with its traces as trees, oldest first', async () => {
    const session_id = (await create({ name: 'made' })).body.id;
    const traces = [2, 1].map((day) => ({
      id: randomUUID(),
      created_at: `2026-01-0${day}T00:00:00Z`,
      input: `day ${day}`,
      spans: [{ type: 'agent', spans: [{ type: 'llm', input: 'hi' }] }],
    }));
    await log(traces, { session_id });
    const reply = await get(`sessions/${session_id.toUpperCase()}`);
    expect(reply.body).toMatchObject({
      ...{ type: 'session', id: session_id, name: 'made', input: 'day 1', num_traces: 2 },
      ...{ starting_token: 0, limit: 100, paginated: false, next_starting_token: null },
    });
    const nested = (trace: { id: string }) => ({
      id: trace.id,
      session_id,
      spans: [{ type: 'agent', spans: [{ type: 'llm' }] }],
    });
    expect(reply.body.traces).toMatchObject([nested(traces[1]!), nested(traces[0]!)]);
    expect(reply.body.traces[0]).toEqual((await get(`traces/${traces[1]!.id}`)).body);
  });

  it('that is a trace alone is shown with that trace', async () => {
    const id = randomUUID();
    await log([{ id, name: 'alone' }]);
    expect((await get(`sessions/${id}`)).body).toMatchObject({ id, name: 'alone', traces: [{ id, type: 'trace' }] });
  });

  it('of many traces is shown in parts', async () => {
    const session_id = randomUUID();
    const sent = Array.from({ length: 250 }, (_, hour) => ({
      created_at: new Date(hour * 3_600_000).toISOString(),
      name: `${hour}`,
    }));
    await log(sent, { session_id });
    const part = async (query: string) => {
      const { body } = await get(`sessions/${session_id}?${query}`);
      return {
        names: body.traces.map(({ name }: { name: string }) => name),
        next: body.next_starting_token,
        more: body.paginated,
      };
    };
    const names = sent.map(({ name }) => name);
    expect(await part('')).toEqual({ names: names.slice(0, 100), next: 100, more: true });
    expect(await part('starting_token=100&limit=120')).toEqual({ names: names.slice(100, 220), next: 220, more: true });
    expect(await part('starting_token=220')).toEqual({ names: names.slice(220), next: null, more: false });
    expect((await get(`sessions/${session_id}?limit=0`)).status).toBe(422);
  });

  it('of heavy traces is shown in smaller parts, one trace at least', async () => {
    const session_id = randomUUID();
    const heavy = (day: number) => ({
      created_at: `2026-01-0${day}T00:00:00Z`,
      spans: Array.from({ length: 6_000 }, () => ({ type: 'tool' })),
    });
    for (const day of [1, 2]) await log([heavy(day)], { session_id });
    const first = (await get(`sessions/${session_id}`)).body;
    expect([first.traces.length, first.paginated, first.next_starting_token]).toEqual([1, true, 1]);
    const second = (await get(`sessions/${session_id}?starting_token=1`)).body;
    expect([second.traces.length, second.paginated, second.next_starting_token]).toEqual([1, false, null]);
  });

  it('ends a page with the trace that makes it 8 MiB, and goes on with the next', async () => {
    const input = 'x'.repeat(3 * 2 ** 20);
    const session_id = (await create()).body.id;
    for (let count = 0; count < 5; count += 1) await log([{ input }], { session_id });
    const page = async (token: number) => (await get(`sessions/${session_id}?starting_token=${token}`)).body;
    const [first, second] = [await page(0), await page(3)];
    expect([first.traces.length, first.paginated, first.next_starting_token]).toEqual([3, true, 3]);
    expect([second.traces.length, second.paginated, second.next_starting_token]).toEqual([2, false, null]);
  });

  it('that nobody knows is 404, whatever else has its id', async () => {
    const span = randomUUID();
    await log([{ spans: [{ type: 'tool', id: span }] }]);
    for (const id of [randomUUID(), span, log_stream_id]) {
      expect(await get(`sessions/${id}`)).toMatchObject({ status: 404, body: { code: 'session_not_found' } });
    }
    expect((await get('sessions/x')).status).toBe(422);
  });
});

describe('deleting sessions', () => {
  it('takes their traces and spans along, and says how many they were', async () => {
    await create({ external_id: 'gone' });
    await log([{ spans: [{ type: 'tool' }] }, {}], { session_external_id: 'gone' });
    await log([{ name: 'stays' }]);
    const filters = [{ type: 'text', column_id: 'external_id', operator: 'eq', value: 'gone' }];
    expect(await post('sessions/delete', { log_stream_id, filters })).toMatchObject({
      status: 200,
      body: { message: 'removed 2 traces, 1 spans and 1 sessions', traces: 2, spans: 1, sessions: 1 },
    });
    expect([await total('sessions'), await total('traces'), await total('spans')]).toEqual([1, 1, 0]);
    await create();
    expect((await post('sessions/delete', { log_stream_id })).body).toMatchObject({ traces: 1, sessions: 2 });
    expect([await total('sessions'), await total('traces')]).toEqual([0, 0]);
  });

  it('happens with their log stream and with their project', async () => {
    const { id } = (await create()).body;
    const other = (await post('log_streams', { name: 'other' })).body.id;
    const second = (await post('sessions', { log_stream_id: other })).body.id;
    await server.request('DELETE', `${at}/log_streams/${log_stream_id}`);
    expect([(await get(`sessions/${id}`)).status, (await get(`sessions/${second}`)).status]).toEqual([404, 200]);
    await server.request('DELETE', at);
    expect(await server.cradle.sessionStore.find(project_id, second)).toBeUndefined();
  });
});
