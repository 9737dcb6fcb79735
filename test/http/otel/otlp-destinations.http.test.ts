import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_OTLP_SETTINGS } from '../../../core/otel/destination-finder.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person, withKey } from '../people.ts';
import { logStreamId, newProject, oneSpan, records, send, toProject } from './otlp-client.ts';

const SPAN = '00f067aa0ba902b7';
const TRACE_ID = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const aProject = (on = server) => toProject(on);

describe('where spans go', () => {
  const two = (a: Record<string, string>) =>
    toRequest({ resource: a, spans: [{ spanId: '1'.repeat(16) }] }, { spans: [{ spanId: '2'.repeat(16) }] });

  it('is what their resource says, else what the headers say', async () => {
    const [lab, demo] = [await aProject(), await aProject()];
    const request = two({ 'eval.project.name': lab.name, 'eval.logstream.name': 'try' });
    expect((await demo.sent(request, { logstream: 'prod' })).status).toBe(200);
    const ids = async (id: string, name: string) =>
      (await records(server, id, 'spans', name)).map(({ external_id }: { external_id: string }) => external_id);
    expect(await ids(lab.id, 'try')).toEqual(['1'.repeat(16)]);
    expect(await ids(demo.id, 'prod')).toEqual(['2'.repeat(16)]);
  });

  it('may be forbidden for some of them, which are refused', async () => {
    const [lab, demo] = [await aProject(), await aProject()];
    const editor = await person(server);
    for (const [{ id }, role] of [
      [lab, 'viewer'],
      [demo, 'editor'],
    ] as const) {
      await server.request('POST', `/v2/projects/${id}/users`, [{ user_id: editor.id, role }]);
    }
    const request = two({ 'eval.project.name': lab.name, 'eval.logstream.name': 'try' });
    const reply = await demo.sent(request, { 'service-api-key': editor.api_key });
    expect([reply.status, reply.bytes.toString()]).toEqual([200, expect.stringContaining('"rejectedSpans":"1"')]);
    expect(await records(server, demo.id, 'spans')).toHaveLength(1);
    expect(await logStreamId(server, lab.id, 'try')).toBeUndefined();
  });

  it('is the project of the key where none is named', async () => {
    const { id } = await aProject();
    const other = await aProject();
    const owner = await person(server, { role: 'admin' });
    const { api_key } = await withKey(server, owner, { project_id: id });
    expect((await send(server, oneSpan, { headers: { 'service-api-key': api_key } })).status).toBe(200);
    expect(await records(server, id, 'spans')).toHaveLength(1);
    expect((await other.sent(oneSpan, { 'service-api-key': api_key })).status).toBe(403);
  });

  it('may be named with percent escapes, and by a name that only looks so', async () => {
    const plain = await newProject(server, `my project ${randomUUID()}`);
    const odd = await newProject(server, `100%25 ${randomUUID()}`);
    expect(
      (await send(server, oneSpan, { headers: { project: encodeURIComponent(plain.name), logstream: 'a%20b' } })).status,
    ).toBe(200);
    expect(await records(server, plain.id, 'spans', 'a b')).toHaveLength(1);
    expect((await send(server, oneSpan, { headers: { project: odd.name } })).status).toBe(200);
    expect(await records(server, odd.id, 'spans')).toHaveLength(1);
  });

  it('is one log stream, made once, for senders that start together', async () => {
    const { id, name } = await aProject();
    const spans = Array.from({ length: 8 }, (_, at) => toRequest({ spans: [{ spanId: `${at + 1}`.repeat(16) }] }));
    const replies = await Promise.all(spans.map((one) => send(server, one, { headers: { project: name } })));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect((await server.request('GET', `/v2/projects/${id}/log_streams`)).body).toHaveLength(1);
    expect(await records(server, id, 'spans')).toHaveLength(8);
  });

  it('keeps runs and projects apart, though the ids of traces are the same', async () => {
    const [one, other] = [await aProject(), await aProject()];
    for (const { sent } of [one, other]) for (const logstream of ['a', 'b']) await sent(oneSpan, { logstream });
    for (const { id } of [one, other]) {
      for (const name of ['a', 'b']) {
        const [trace] = await records(server, id, 'traces', name);
        expect(trace).toMatchObject({ id: TRACE_ID, project_id: id, run_id: await logStreamId(server, id, name) });
      }
    }
  });

  it('is a new project where there is none and the caller may make one', async () => {
    const reader = await person(server, { role: 'read_only' });
    const user = await person(server);
    const headers = { project: 'brand%20new' };
    expect((await send(server, oneSpan, { headers: { ...headers, 'service-api-key': reader.api_key } })).status).toBe(403);
    expect((await send(server, oneSpan, { headers: { ...headers, 'service-api-key': user.api_key } })).status).toBe(200);
    const [made] = (await server.request('GET', '/v2/projects?project_name=brand%20new')).body;
    expect(made).toMatchObject({ type: 'gen_ai', created_by: user.id });
    // The name is taken now, by a project that others do not see.
    const stranger = await person(server);
    expect((await send(server, oneSpan, { headers: { ...headers, 'service-api-key': stranger.api_key } })).status).toBe(409);
    expect(await records(server, made.id, 'spans')).toHaveLength(1);
  });

  it('is no new project where the service is set up so', async () => {
    const overrides = { otlpSettings: asValue({ ...DEFAULT_OTLP_SETTINGS, create_projects: false }) };
    const closed = await startTestServer({ overrides });
    expect((await send(closed, oneSpan, { headers: { project: 'brand%20new' } })).status).toBe(404);
    expect((await closed.request('GET', '/v2/projects?project_name=brand%20new')).body).toEqual([]);
    await closed.close();
  });

  it('is nowhere when the log stream was just deleted, even where that is not known yet', async () => {
    const believing = await startTestServer();
    const { id } = await aProject(believing);
    const { body } = await believing.request('POST', `/v2/projects/${id}/log_streams`, { name: 'short-lived' });
    const headers = { 'project-id': id, 'logstream-id': body.id };
    const { runDirectory } = believing.cradle;
    const find = runDirectory.findRun.bind(runDirectory);
    const run = await find(id, body.id);
    vi.spyOn(runDirectory, 'findRun').mockImplementation(async (project_id, run_id, fresh) =>
      fresh ? find(project_id, run_id, fresh) : run,
    );
    await believing.request('DELETE', `/v2/projects/${id}/log_streams/${body.id}`);
    expect((await send(believing, oneSpan, { headers })).status).toBe(404);
    await believing.close();
  });

  it('is made up to a hundred times by one request, whose other spans are refused', async () => {
    const { id, sent } = await aProject();
    const spans = Array.from({ length: 105 }, (_, at) => ({
      spanId: (at + 1).toString(16).padStart(16, '0'),
      attributes: { 'eval.logstream.name': `stream ${at}` },
    }));
    const reply = await sent(toRequest({ spans }));
    expect([reply.status, reply.bytes.toString()]).toEqual([200, expect.stringContaining('"rejectedSpans":"5"')]);
    expect((await server.request('GET', `/v2/projects/${id}/log_streams`)).body).toHaveLength(100);
    expect((await sent(toRequest({ spans }))).bytes.toString()).not.toContain('rejectedSpans');
    expect((await server.request('GET', `/v2/projects/${id}/log_streams`)).body).toHaveLength(105);
  });

  it('are at most five hundred in one request, whose other spans are refused', async () => {
    const { sent } = await aProject();
    const named = (from: number, to: number) =>
      toRequest({
        spans: Array.from({ length: to - from }, (_, at) => ({
          spanId: (from + at + 1).toString(16).padStart(16, '0'),
          attributes: { 'eval.logstream.name': `stream ${from + at}` },
        })),
      });
    for (let from = 0; from < 600; from += 100) expect((await sent(named(from, from + 100))).status).toBe(200);
    const reply = await sent(named(0, 600));
    expect([reply.status, reply.bytes.toString()]).toEqual([200, expect.stringContaining('"rejectedSpans":"100"')]);
    expect(reply.bytes.toString()).toContain('no more than 500 log streams');
  });
});

describe('sessions', () => {
  const inSession = (session: string, spanId = SPAN, traceId = '4bf92f3577b34da6a3ce929d0e0e4736') =>
    toRequest({ spans: [{ spanId, traceId, attributes: { 'session.id': session } }] });
  const traces = async (id: string) => records(server, id, 'traces');

  it('are found or made by what the application calls them', async () => {
    const { id, sent } = await aProject();
    await Promise.all([1, 2, 3, 4].map((n) => sent(inSession('chat 7', `${n}`.repeat(16), `${n}`.repeat(32)))));
    const ids = new Set((await traces(id)).map(({ session_id }: { session_id: string }) => session_id));
    expect(ids.size).toBe(1);
    const session = (await server.request('GET', `/v2/projects/${id}/sessions/${[...ids][0]}`)).body;
    expect(session.external_id).toBe('chat 7');
    for (const span of await records(server, id, 'spans')) expect(ids).toContain(span.session_id);
  });

  it('have the id that names them, where it is one; an id of a session that is there means that one', async () => {
    const { id, sent } = await aProject();
    const own = randomUUID();
    await sent(inSession(own.toUpperCase()));
    expect((await traces(id))[0].session_id).toBe(own);
    await sent(inSession(own, SPAN, '1'.repeat(32)));
    expect((await traces(id)).map(({ session_id }: { session_id: string }) => session_id)).toEqual([own, own]);
  });

  it('may become known after the first spans', async () => {
    const { id, sent } = await aProject();
    await sent(toRequest({ spans: [{ spanId: '1'.repeat(16), parentSpanId: SPAN }] }));
    expect((await traces(id))[0].session_id).toBe(TRACE_ID);
    await sent(inSession('late'));
    const [{ session_id }] = await traces(id);
    expect(session_id).not.toBe(TRACE_ID);
    for (const span of await records(server, id, 'spans')) expect(span.session_id).toBe(session_id);
  });
});
