import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../datasets/dataset-fixture.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { oneSpan, records, send } from '../otel/otlp-client.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let [owner, ann, reader]: Person[] = [];
let project_id: string;
let project: string;
let log_stream_id: string;
let session_id: string;
/** A trace and a span that came by JSON, and those that came by OpenTelemetry. */
let logged: { trace: string; span: string };
let received: { trace: string; span: string };

const ask = (who: Person, method: string, path: string, body?: object) => who.request(method, project + path, body);
const put = (who: Person, record_id: string, facts: object = {}) =>
  ask(who, 'PUT', `/bookmarks/${record_id}`, { log_stream_id, ...facts });
const take = (who: Person, record_id: string) => ask(who, 'DELETE', `/bookmarks/${record_id}?log_stream_id=${log_stream_id}`);
const list = async (who: Person, query = '') => (await ask(who, 'GET', `/bookmarks${query}`)).body;
const marked = async (who: Person, query = ''): Promise<string[]> =>
  (await list(who, query)).bookmarks.map(({ record_id }: { record_id: string }) => record_id);
const post = (who: Person, path: string, body: object = {}) => ask(who, 'POST', path, { log_stream_id, ...body });
const is = (value: boolean, operator = 'eq') => ({
  filters: [{ type: 'boolean', column_id: 'is_bookmarked', operator, value }],
});
const found = async (who: Person, level: string, body: object): Promise<string[]> =>
  (await post(who, `/${level}/search`, body)).body.records.map(({ id }: { id: string }) => id);

beforeAll(async () => {
  server = await startTestServer();
  [owner, ann, reader] = await Promise.all([person(server), person(server), person(server)]);
  project_id = (await owner.request('POST', '/v2/projects', { name: 'Harbour' })).body.id;
  project = `/v2/projects/${project_id}`;
  log_stream_id = (await ask(owner, 'POST', '/log_streams', { name: 'default' })).body.id;
  await ask(owner, 'POST', '/users', [
    { user_id: ann.id, role: 'annotator' },
    { user_id: reader.id, role: 'viewer' },
  ]);
  session_id = (await post(owner, '/sessions', { name: 'talk' })).body.id;
  logged = { trace: randomUUID(), span: randomUUID() };
  const spans = [{ id: logged.span, type: 'llm', name: 'ask', input: 'x', output: 'y' }];
  await post(owner, '/traces', { session_id, traces: [{ id: logged.trace, name: 'order', input: 'a', output: 'b', spans }] });
  const headers = { 'x-project-id': project_id, project: 'Harbour', logstream: 'default' };
  expect((await send(server, oneSpan, { headers })).status).toBe(200);
  const of = async (level: 'traces' | 'spans', known: string) =>
    String((await records(server, project_id, level)).find((one: { id: string }) => one.id !== known).id);
  received = { trace: await of('traces', logged.trace), span: await of('spans', logged.span) };
});
afterAll(() => server.close());

describe('bookmarks', () => {
  it('are put on traces, spans and sessions, the same again changes nothing, and are taken', async () => {
    const first = await put(reader!, logged.trace);
    const facts = { record_id: logged.trace, run_id: log_stream_id, record_type: 'trace', trace_id: logged.trace, name: 'order' };
    expect(first).toMatchObject({ status: 200, body: { ...facts, is_shared: false, is_mine: true, user: { id: reader!.id } } });
    expect((await put(reader!, logged.trace)).body).toEqual(first.body);
    expect((await put(reader!, received.span)).body).toMatchObject({ record_type: 'span', trace_id: received.trace });
    expect((await put(reader!, session_id)).body).toMatchObject({ record_type: 'session', trace_id: null, name: 'talk' });
    expect(await marked(reader!)).toEqual([session_id, received.span, logged.trace]);
    expect(await marked(reader!, `?log_stream_id=${log_stream_id}&limit=2&starting_token=2`)).toEqual([logged.trace]);
    for (let times = 0; times < 2; times += 1) expect((await take(reader!, session_id)).status).toBe(200);
    expect(await marked(reader!)).toEqual([received.span, logged.trace]);
  });

  it('are seen by others where they are shared, by whom may annotate', async () => {
    expect(await marked(ann!)).toEqual([]);
    expect((await put(reader!, logged.trace, { is_shared: true })).status).toBe(403);
    expect((await put(ann!, received.trace, { is_shared: true })).body.is_shared).toBe(true);
    const [shared] = (await list(reader!)).bookmarks;
    expect(shared).toMatchObject({ record_id: received.trace, is_mine: false, user: { id: ann!.id } });
    expect(await marked(reader!, '?mine=true')).toEqual([received.span, logged.trace]);
    // Nobody takes those of others.
    expect((await take(reader!, received.trace)).status).toBe(200);
    expect(await marked(reader!)).toContain(received.trace);
    expect((await put(ann!, received.trace)).body.is_shared).toBe(false);
    expect(await marked(reader!)).not.toContain(received.trace);
  });

  it('filter what their owner asks for', async () => {
    expect(await found(reader!, 'traces', is(true))).toEqual([logged.trace]);
    expect(await found(reader!, 'traces', is(false, 'ne'))).toEqual([logged.trace]);
    expect(await found(reader!, 'traces', is(false))).toEqual([received.trace]);
    expect(await found(reader!, 'spans', is(true))).toEqual([received.span]);
    expect(await found(owner!, 'traces', is(true))).toEqual([]);
    const [filter] = is(true).filters;
    const filter_tree = { or: [{ not: { filter } }, { and: [{ filter }, { filter }] }] };
    expect((await found(reader!, 'traces', { filter_tree })).toSorted()).toEqual([logged.trace, received.trace].toSorted());
    await put(reader!, session_id);
    expect(await found(reader!, 'sessions', is(true))).toEqual([session_id]);
    for (const level of ['traces', 'spans', 'sessions'])
      expect((await post(reader!, `/${level}/count`, is(true))).body).toEqual({ total_count: 1 });
    const facets = await post(reader!, '/traces/facets', { ...is(true), column_ids: ['name'] });
    expect(facets.body.facets[0].values).toEqual([{ value: 'order', count: 1 }]);
  });

  it('choose what is exported', async () => {
    for (const [root_type, id] of [
      ['trace', logged.trace],
      ['span', received.span],
      ['session', session_id],
    ] as const) {
      const lines = String((await post(owner!, '/export_records', { root_type, ...is(true) })).body ?? '');
      expect(lines).not.toContain(id);
      await put(owner!, id);
      const own = String((await post(owner!, '/export_records', { root_type, ...is(true), column_ids: ['id'] })).body);
      expect(own.trim()).toBe(JSON.stringify({ id }));
      await take(owner!, id);
    }
  });

  it('may be asked for by a saved view, but not by what goes on without a person', async () => {
    const state = { record_type: 'trace', ...is(true) };
    expect((await post(reader!, '/views', { name: 'mine', state })).status).toBe(200);
    const dataset_id = (await makeDataset(server, [])).id;
    const rule = { name: 'r', record_type: 'trace', dataset_id, ...is(true) };
    const refused = await post(owner!, '/traces/search', {
      filters: [{ type: 'text', column_id: 'is_bookmarked', operator: 'eq', value: 'x' }],
    });
    expect(refused).toMatchObject({ status: 422, body: { code: 'filter_invalid' } });
    // The administrator, who made the dataset.
    const rules = (facts: object) => server.request('POST', `${project}/dataset-rules`, { log_stream_id, ...rule, ...facts });
    const kept = await rules({});
    expect(kept).toMatchObject({ status: 422, body: { code: 'filter_invalid' } });
    expect((await rules({ filters: [] })).status).toBe(200);
  });

  it('are refused on nothing, without a run, and above their number', async () => {
    expect(await put(reader!, randomUUID())).toMatchObject({ status: 404, body: { code: 'record_not_found' } });
    expect(await put(reader!, logged.trace, { log_stream_id: null })).toMatchObject({
      status: 422,
      body: { code: 'run_ambiguous' },
    });
    expect(await put(reader!, logged.trace, { log_stream_id: randomUUID() })).toMatchObject({ status: 404 });
    const { bookmarkStore } = server.cradle;
    const one = { project_id, run_id: log_stream_id, user_id: owner!.id, is_shared: false, created_at: new Date().toISOString() };
    const traces = Array.from({ length: 1000 }, () => ({ id: randomUUID(), input: 'a' }));
    await post(owner!, '/traces', { traces });
    for (const { id } of traces) await bookmarkStore.put({ ...one, record_id: id }, 1000);
    expect(await put(owner!, logged.trace)).toMatchObject({ status: 409, body: { code: 'bookmarks_full' } });
    expect((await put(owner!, traces[0]!.id)).status).toBe(200);
    expect((await post(owner!, '/traces/count', is(true))).body.total_count).toBe(1000);
    expect((await post(owner!, '/traces/delete', is(true))).status).toBe(200);
    expect(await marked(owner!)).toEqual([]);
  });

  it('go with what they are on, and with their owner', async () => {
    await post(owner!, '/traces/delete', {
      filters: [{ type: 'id', column_id: 'id', operator: 'eq', value: received.trace }],
    });
    expect((await marked(reader!)).toSorted()).toEqual([session_id, logged.trace].toSorted());
    await post(owner!, '/sessions/delete', { filters: [] });
    expect(await marked(reader!)).toEqual([]);
    const trace = randomUUID();
    await post(owner!, '/traces', { traces: [{ id: trace, input: 'a' }] });
    await put(ann!, trace, { is_shared: true });
    expect(await marked(reader!)).toEqual([trace]);
    expect((await server.request('DELETE', `/v2/users/${ann!.id}`)).status).toBe(200);
    expect(await marked(reader!)).toEqual([]);
  });
});
