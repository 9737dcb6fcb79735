import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let [owner, ann, reader]: Person[] = [];
let project: string;
let log_stream_id: string;
let session_id: string;
const [trace_id, span_id] = [randomUUID(), randomUUID()];

const post = (path: string, body: object, who = owner!) => who.request('POST', project + path, body);
const write = (who: Person, record_id: string, text: unknown) => post('/comments', { log_stream_id, record_id, text }, who);
const list = async (query = '', who = reader!) => (await who.request('GET', `${project}/comments${query}`)).body;
const texts = async (query = '') => (await list(query)).comments.map(({ text }: { text: string }) => text);
const change = (who: Person, id: string, text: string) => who.request('PATCH', `${project}/comments/${id}`, { text });
const remove = (who: Person, id: string) => who.request('DELETE', `${project}/comments/${id}`);

beforeAll(async () => {
  server = await startTestServer();
  [owner, ann, reader] = await Promise.all([person(server), person(server), person(server)]);
  project = `/v2/projects/${(await owner.request('POST', '/v2/projects', { name: 'Harbour' })).body.id}`;
  log_stream_id = (await post('/log_streams', { name: 'default' })).body.id;
  await post('/users', [
    { user_id: ann.id, role: 'annotator' },
    { user_id: reader.id, role: 'viewer' },
  ]);
  session_id = (await post('/sessions', { log_stream_id, name: 'talk' })).body.id;
  const spans = [{ id: span_id, type: 'llm', input: 'x', output: 'y' }];
  await post('/traces', { log_stream_id, session_id, traces: [{ id: trace_id, input: 'a', output: 'b', spans }] });
});
afterAll(() => server.close());

describe('comments', () => {
  it('are written about traces, spans and sessions, read by all, changed by their author and deleted', async () => {
    const first = await write(ann!, trace_id, 'Why did it call the tool twice?');
    expect(first).toMatchObject({ status: 200, body: { record_id: trace_id, run_id: log_stream_id, created_by: ann!.id } });
    expect(first.body.created_by_user.id).toBe(ann!.id);
    const second = (await write(owner!, span_id, 'Because of the first refusal.')).body;
    await write(ann!, session_id, 'Ask them.');
    expect(await texts()).toEqual(['Ask them.', 'Because of the first refusal.', 'Why did it call the tool twice?']);
    expect(await texts(`?log_stream_id=${log_stream_id}&record_id=${span_id}`)).toEqual(['Because of the first refusal.']);
    const page = await list('?limit=2');
    expect(page).toMatchObject({ limit: 2, paginated: true, next_starting_token: 2 });
    expect(await texts('?limit=2&starting_token=2')).toEqual(['Why did it call the tool twice?']);

    const changed = await change(ann!, first.body.id, 'Why twice?');
    expect(changed).toMatchObject({ status: 200, body: { text: 'Why twice?', created_at: first.body.created_at } });
    const others = [change(owner!, first.body.id, 'mine'), change(reader!, first.body.id, 'mine'), remove(ann!, second.id)];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await change(owner!, first.body.id, 'mine')).body.code).toBe('comment_of_another_user');

    expect((await remove(owner!, first.body.id)).status).toBe(200);
    expect(await remove(owner!, first.body.id)).toMatchObject({ status: 404, body: { code: 'comment_not_found' } });
    expect(await change(ann!, first.body.id, 'again')).toMatchObject({ status: 404 });
    expect(await texts()).toEqual(['Ask them.', 'Because of the first refusal.']);
  });

  it('are refused of whom may only read, about nothing, and without words', async () => {
    expect((await write(reader!, trace_id, 'hello')).status).toBe(403);
    expect(await write(ann!, randomUUID(), 'hello')).toMatchObject({ status: 404, body: { code: 'record_not_found' } });
    for (const text of ['', '  ', 'a'.repeat(4001), 'a\0b', null]) expect((await write(ann!, trace_id, text)).status).toBe(422);
    const unnamed = await reader!.request('GET', `${project}/comments?record_id=${trace_id}`);
    expect(unnamed).toMatchObject({ status: 422, body: { code: 'run_ambiguous' } });
    const elsewhere = await reader!.request('GET', `${project}/comments?log_stream_id=${randomUUID()}`);
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
  });

  it('are masked by the rules of their project', async () => {
    const rules = { rules: [{ kind: 'pattern', name: 'card', pattern: 'card-[0-9]+' }] };
    const set = await owner!.request('PUT', `${project}/masking-rules`, rules);
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    const { body } = await write(ann!, trace_id, 'their number is card-4711');
    expect(body.text).not.toContain('4711');
    expect((await change(ann!, body.id, 'it is card-4712 indeed')).body.text).not.toContain('4712');
    expect(JSON.stringify(await list())).not.toMatch(/471[12]/);
  });

  it('go with what they are about', async () => {
    await write(ann!, trace_id, 'still here?');
    await post('/traces/delete', { log_stream_id, filters: [] });
    for (const id of [trace_id, span_id]) expect(await texts(`?log_stream_id=${log_stream_id}&record_id=${id}`)).toEqual([]);
    expect(await texts()).toEqual(['Ask them.']);
  });
});
