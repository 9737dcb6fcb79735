import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { logStreamId, oneSpan, records, send, toProject } from '../otel/otlp-client.ts';

let server: TestServer;
let project: string;
let log_stream_id: string;
/** Records that came by JSON, and those that came by OpenTelemetry. */
let logged: { trace: string; span: string };
let received: { trace: string; span: string };
let session_id: string;

const post = (path: string, body: object = {}) => server.request('POST', project + path, { log_stream_id, ...body });
const ids = async (level: string, body: object = {}): Promise<string[]> =>
  (await post(`/${level}/search`, body)).body.records.map(({ id }: { id: string }) => id);
const atLeast = (value: number) => ({ filters: [{ type: 'number', column_id: 'num_comments', operator: 'gte', value }] });
const column = async (level: string) => {
  const { body } = await post(`/${level}/available_columns`);
  return body.columns.find(({ id }: { id: string }) => id === 'num_comments');
};
const exported = async (root_type: string, facts: object): Promise<object[]> =>
  String((await post('/export_records', { root_type, ...facts })).body)
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line));

beforeAll(async () => {
  server = await startTestServer();
  const { id, name } = await toProject(server);
  project = `/v2/projects/${id}`;
  expect((await send(server, oneSpan, { headers: { project: name, logstream: 'default' } })).status).toBe(200);
  log_stream_id = (await logStreamId(server, id, 'default'))!;
  const [span, trace] = [await records(server, id, 'spans', 'default'), await records(server, id, 'traces', 'default')];
  received = { trace: String(trace[0]!.id), span: String(span[0]!.id) };
  session_id = (await post('/sessions', { name: 'talk' })).body.id;
  logged = { trace: randomUUID(), span: randomUUID() };
  const spans = [{ id: logged.span, type: 'llm', input: 'x', output: 'y' }];
  await post('/traces', { session_id, traces: [{ id: logged.trace, input: 'a', output: 'b', spans }] });
});
afterAll(() => server.close());

describe('the number of comments as a column', () => {
  it('is empty before anybody wrote one, and finds nothing', async () => {
    const described = { category: 'standard', data_type: 'integer', filter_type: 'number', sortable: true, filterable: true };
    for (const level of ['traces', 'spans', 'sessions']) {
      expect(await column(level)).toMatchObject({ ...described, label: 'Comments', is_empty: true });
      expect(await ids(level, atLeast(1))).toEqual([]);
    }
  });

  it('filters and orders traces, spans and sessions, and is shown with them', async () => {
    const about = [received.trace, received.trace, logged.trace, received.span, logged.span, session_id];
    for (const record_id of about) expect((await post('/comments', { record_id, text: 'look' })).status).toBe(200);
    const sort = { column_id: 'num_comments', ascending: false };
    expect(await ids('traces', { ...atLeast(1), sort })).toEqual([received.trace, logged.trace]);
    expect(await ids('traces', atLeast(2))).toEqual([received.trace]);
    expect((await ids('spans', atLeast(1))).toSorted()).toEqual([received.span, logged.span].toSorted());
    // A trace outside of sessions is one by itself.
    expect(await ids('sessions', { ...atLeast(1), sort })).toEqual([received.trace, session_id]);
    const picked = { select_columns: { column_ids: ['num_comments'] }, sort, limit: 1 };
    for (const [level, count] of [
      ['traces', 2],
      ['spans', 1],
      ['sessions', 2],
    ] as const) {
      const { body } = await post(`/${level}/partial_search`, picked);
      expect(body.records[0].num_comments).toBe(count);
      expect((await post(`/${level}/count`, atLeast(2))).body.total_count).toBe(count - 1);
      expect((await column(level)).is_empty).toBe(false);
    }
    expect((await server.request('GET', `${project}/traces/${received.trace}`)).body.num_comments).toBe(2);
    expect((await server.request('GET', `${project}/sessions/${session_id}`)).body.num_comments).toBe(1);
  });

  it('is counted by value, and exported', async () => {
    const facets = await post('/traces/facets', { column_ids: ['num_comments'] });
    expect(facets.body.facets[0].values).toEqual([
      { value: '1', count: 1 },
      { value: '2', count: 1 },
    ]);
    for (const [root_type, id] of [
      ['trace', received.trace],
      ['session', received.trace],
    ] as const) {
      const [row] = await exported(root_type, { ...atLeast(2), column_ids: ['id', 'num_comments'] });
      expect(row).toEqual({ id, num_comments: 2 });
    }
    expect((await exported('span', atLeast(1)))[0]).toMatchObject({ num_comments: 1 });
    const misfit = await post('/traces/search', {
      filters: [{ type: 'text', column_id: 'num_comments', operator: 'eq', value: 'a' }],
    });
    expect(misfit).toMatchObject({ status: 422, body: { code: 'filter_invalid' } });
  });

  it('falls as comments go, and records are removed by it', async () => {
    const { body } = await server.request(
      'GET',
      `${project}/comments?log_stream_id=${log_stream_id}&record_id=${received.trace}`,
    );
    expect((await server.request('DELETE', `${project}/comments/${body.comments[0].id}`)).status).toBe(200);
    expect(await ids('traces', atLeast(2))).toEqual([]);
    expect((await post('/traces/delete', atLeast(1))).status).toBe(200);
    expect(await ids('traces')).toEqual([]);
    expect(await ids('sessions', atLeast(1))).toEqual([session_id]);
  });
});
