import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

let server: TestServer;
let log_stream_id: string;
let at: string;
const [root, parent, child, other] = Array.from({ length: 4 }, () => randomUUID());
beforeEach(async () => {
  ({ server, at, log_stream_id } = await startWithLogStream());
  const spans = [{ type: 'workflow', id: parent, spans: [{ type: 'tool', id: child, name: 'deep' }] }];
  const traces = [
    { id: root, name: 'a', spans },
    { id: other, name: 'b', spans: [{ type: 'tool', name: 'deep' }] },
  ];
  expect((await post('traces', { log_stream_id, traces })).status).toBe(200);
});
afterEach(() => server.close());

const post = (path: string, body?: unknown) => server.request('POST', `${at}/${path}`, body);
const counts = async () => {
  const [traces, spans] = await Promise.all(['traces', 'spans'].map((level) => post(`${level}/count`, { log_stream_id })));
  return { traces: traces!.body.total_count, spans: spans!.body.total_count };
};
const byId = (...value: (string | undefined)[]) => [{ type: 'id', column_id: 'id', operator: 'one_of', value }];
const byName = (value: string) => [{ type: 'text', column_id: 'name', operator: 'eq', value }];

describe('deleting traces', () => {
  it('takes those that match with all below them', async () => {
    const reply = await post('traces/delete', { log_stream_id, filters: byId(root) });
    expect(reply).toMatchObject({ status: 200, body: { traces: 1, spans: 2, sessions: 0 } });
    expect(reply.body.message).toBe('removed 1 traces, 2 spans and 0 sessions');
    expect(await counts()).toEqual({ traces: 1, spans: 1 });
    expect((await server.request('GET', `${at}/traces/${root}`)).status).toBe(404);
    expect((await server.request('GET', `${at}/spans/${child}`)).status).toBe(404);
  });

  it('takes everything of the run without filters, and nothing of another', async () => {
    const second = (await post('log_streams', { name: 'second' })).body.id;
    await post('traces', { log_stream_id: second, traces: [{ name: 'stays' }] });
    expect((await post('traces/delete', { log_stream_id })).body).toMatchObject({ traces: 2, spans: 3 });
    expect(await counts()).toEqual({ traces: 0, spans: 0 });
    expect((await post('traces/count', { log_stream_id: second })).body.total_count).toBe(1);
  });

  it('takes a filter tree as the search does', async () => {
    const filter_tree = { not: { filter: byName('a')[0] } };
    expect((await post('traces/delete', { log_stream_id, filter_tree })).body).toMatchObject({ traces: 1, spans: 1 });
    expect((await server.request('GET', `${at}/traces/${root}`)).status).toBe(200);
  });

  it('takes a session that is left empty', async () => {
    const session_id = randomUUID();
    const { body } = await post('traces', { log_stream_id, session_id, traces: [{ name: 'talk' }] });
    expect((await post('traces/delete', { log_stream_id, filters: byId(body.trace_ids[0]) })).body).toMatchObject({
      sessions: 1,
    });
    expect((await server.request('GET', `${at}/sessions/${session_id}`)).status).toBe(404);
  });

  it('is not wrong when nothing matches', async () => {
    expect(await post('traces/delete', { log_stream_id, filters: byName('none') })).toMatchObject({
      status: 200,
      body: { traces: 0 },
    });
  });

  it('is noted in the audit log when it begins and when it is done', async () => {
    await post('traces/delete', { log_stream_id, filters: byId(root) });
    const { body } = await server.request('GET', '/v2/audit_log');
    const noted = body.entries.filter(({ action }: { action: string }) => action === 'records.delete');
    const facts = { run_id: log_stream_id, level: 'trace' };
    // biome-ignore lint/suspicious/noExplicitAny: lines of the log
    expect(noted.map(({ details }: any) => details).toSorted((a: any, b: any) => (a.stage < b.stage ? -1 : 1))).toEqual([
      { ...facts, stage: 'begun', traces: 0, spans: 0, sessions: 0 },
      { ...facts, stage: 'done', traces: 1, spans: 2, sessions: 0 },
    ]);
  });
});

describe('deleting spans', () => {
  it('takes those that match with all below them, and leaves the trace', async () => {
    const reply = await post('spans/delete', { log_stream_id, filters: byId(parent) });
    expect(reply).toMatchObject({ status: 200, body: { traces: 0, spans: 2, sessions: 0 } });
    const trace = (await server.request('GET', `${at}/traces/${root}`)).body;
    expect(trace).toMatchObject({ has_children: false, spans: [] });
  });

  it('leaves what stands above', async () => {
    expect((await post('spans/delete', { log_stream_id, filters: byName('deep') })).body).toMatchObject({ spans: 2 });
    expect((await server.request('GET', `${at}/spans/${parent}`)).body).toMatchObject({ has_children: false });
    expect(await counts()).toEqual({ traces: 2, spans: 1 });
  });

  it('takes all of the run without filters, but no trace', async () => {
    expect((await post('spans/delete', { log_stream_id })).body).toMatchObject({ traces: 0, spans: 3 });
    expect(await counts()).toEqual({ traces: 2, spans: 0 });
  });
});

describe('a deletion that makes no sense', () => {
  it.each(['traces', 'spans'])('of %s is refused', async (level) => {
    expect((await post(`${level}/delete`, {})).body.code).toBe('run_ambiguous');
    expect((await post(`${level}/delete`, { log_stream_id: randomUUID() })).body.code).toBe('run_not_found');
    const filters = [{ type: 'text', column_id: 'nothing', operator: 'eq', value: 'a' }];
    expect((await post(`${level}/delete`, { log_stream_id, filters })).status).toBe(422);
    expect(await counts()).toEqual({ traces: 2, spans: 3 });
  });
});
