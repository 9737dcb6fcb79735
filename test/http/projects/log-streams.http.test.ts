import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let project_id: string;
let streams: string;
beforeEach(async () => {
  server = await startTestServer();
  project_id = (await post('/v2/projects', { name: 'Atlas', type: 'gen_ai' })).body.id;
  streams = `/v2/projects/${project_id}/log_streams`;
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, body);
const put = (path: string, body?: unknown) => server.request('PUT', path, body);
const names = (list: { name: string }[]) => list.map(({ name }) => name);

async function create(name: string): Promise<string> {
  const { status, body } = await post(streams, { name });
  expect(status).toBe(200);
  return body.id;
}

describe('creating log streams', () => {
  it('returns the new log stream', async () => {
    const reply = await post(`${streams}?project_id=${project_id}`, { name: 'default', project_id });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'default',
      project_id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      created_by: expect.any(String),
      created_by_user: expect.objectContaining({ id: reply.body.created_by }),
      num_spans: null,
      num_traces: null,
      has_user_created_sessions: false,
    });
  });

  it('returns what exists when the name is taken, also to clients that race', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(streams, { name: 'default' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await get(streams)).body).toHaveLength(1);
  });

  it('keeps the same name in two projects apart', async () => {
    const other = (await post('/v2/projects', { name: 'other' })).body.id;
    const there = await post(`/v2/projects/${other}/log_streams`, { name: 'default' });
    expect(there.body.id).not.toBe(await create('default'));
  });
});

describe('listing log streams', () => {
  it('returns a bare array that is never cut', async () => {
    for (let number = 0; number < 120; number += 1) await create(`stream ${number}`);
    const { body } = await get(`${streams}?project_id=${project_id}&limit=5`);
    expect(body).toHaveLength(120);
  });

  it('counts only when asked, however yes is spelt', async () => {
    await create('default');
    for (const yes of ['true', 'True', '1']) {
      expect((await get(`${streams}?include_counts=${yes}`)).body).toMatchObject([{ num_spans: 0, num_traces: 0 }]);
    }
    for (const no of ['', '?include_counts=false', '?include_counts=0']) {
      expect((await get(`${streams}${no}`)).body).toMatchObject([{ num_spans: null, num_traces: null }]);
    }
  });

  it('pages through', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const first = (await get(`${streams}/paginated?limit=2&include_counts=true`)).body;
    expect(first).toMatchObject({ starting_token: 0, limit: 2, paginated: true, next_starting_token: 2 });
    expect(first.log_streams).toMatchObject([{ num_spans: 0 }, { num_spans: 0 }]);
    const last = (await get(`${streams}/paginated?limit=2&starting_token=2`)).body;
    expect(last).toMatchObject({ paginated: false, next_starting_token: null });
    expect(new Set(names([...first.log_streams, ...last.log_streams]))).toEqual(new Set(['a', 'b', 'c']));
  });

  it('searches by filters and sort, paging in the body', async () => {
    for (const name of ['alpha', 'beta', 'gamma']) await create(name);
    const filters = [{ name: 'name', operator: 'ne', value: 'beta' }];
    const sort = { name: 'name', ascending: false, sort_type: 'column' };
    const found = (await post(`${streams}/search`, { filters, sort, limit: 1, starting_token: 0, include_counts: true })).body;
    expect(found).toMatchObject({
      limit: 1,
      paginated: true,
      next_starting_token: 1,
      log_streams: [{ name: 'gamma', num_traces: 0 }],
    });
    const nothing = { filters: null, sort: null, limit: null, starting_token: null, include_counts: null };
    for (const body of [nothing, {}, undefined]) {
      const all = (await post(`${streams}/search`, body)).body;
      expect(all).toMatchObject({ limit: 100, starting_token: 0, paginated: false });
      expect(all.log_streams).toHaveLength(3);
    }
  });
});

describe('one log stream', () => {
  it('is read by its id', async () => {
    const id = await create('default');
    const reply = await get(`${streams}/${id}?project_id=${project_id}&log_stream_id=${id}`);
    expect(reply).toMatchObject({ status: 200, body: { id, name: 'default', project_id } });
    expect((await server.request('GET', `${streams}/${id}`.replace('/v2', ''))).status).toBe(200);
  });

  it('is renamed, but not to a taken name', async () => {
    const id = await create('one');
    await create('two');
    expect(await put(`${streams}/${id}`, { name: 'three' })).toMatchObject({ status: 200, body: { id, name: 'three' } });
    expect(await put(`${streams}/${id}`, { name: 'two' })).toMatchObject({ status: 409, body: { code: 'run_exists' } });
    expect((await get(`${streams}/${id}`)).body.name).toBe('three');
  });

  it('is deleted with 204 and no body', async () => {
    const id = await create('default');
    const reply = await server.request('DELETE', `${streams}/${id}`);
    expect(reply.status).toBe(204);
    expect(reply.body).toBeUndefined();
    expect((await get(`${streams}/${id}`)).status).toBe(404);
    expect((await server.request('DELETE', `${streams}/${id}`)).status).toBe(404);
    expect((await get(streams)).body).toEqual([]);
  });

  it('does not show through another project', async () => {
    const id = await create('default');
    const other = (await post('/v2/projects', { name: 'other' })).body.id;
    const path = `/v2/projects/${other}/log_streams/${id}`;
    for (const reply of [await get(path), await put(path, { name: 'x' }), await server.request('DELETE', path)]) {
      expect(reply).toMatchObject({ status: 404, body: { detail: expect.any(String), code: 'log_stream_not_found' } });
    }
    expect((await get(`${streams}/${id}`)).body.name).toBe('default');
  });

  it('needs a project that exists', async () => {
    const path = `/v2/projects/${randomUUID()}/log_streams`;
    const tries = [get(path), get(`${path}/paginated`), post(path, { name: 'x' }), post(`${path}/search`)];
    for (const reply of await Promise.all(tries))
      expect(reply).toMatchObject({ status: 404, body: { code: 'project_not_found' } });
  });
});

describe('bad input', () => {
  it.each([
    {},
    [],
    7,
    { name: '' },
    { name: ' ' },
    { name: 'a\0b' },
    { name: '\udfff' },
    { name: 'x'.repeat(256) },
    { name: null },
  ])('the body %j is refused and changes nothing', async (body) => {
    const id = await create('default');
    expect((await post(streams, body)).status).toBe(422);
    expect((await put(`${streams}/${id}`, body)).status).toBe(422);
    expect(names((await get(streams)).body)).toEqual(['default']);
  });

  it('a missing body is refused', async () => {
    expect((await post(streams)).status).toBe(422);
  });

  it.each([
    { limit: 0 },
    { limit: 1.5 },
    { limit: '10' },
    { starting_token: -1 },
    { starting_token: 1e20 },
    { include_counts: 'yes' },
    { filters: {} },
    { filters: [{ name: 'runs', operator: 'eq', value: 1 }] },
    { filters: [{ name: 'created_at', operator: 'gt', value: '+275760-09-13T00:00:00Z' }] },
    { sort: { name: 'id' } },
    [],
  ])('a search by %j is refused', async (body) => {
    expect((await post(`${streams}/search`, body)).status).toBe(422);
  });

  it.each(['include_counts=maybe', 'include_counts=', 'include_counts=true&include_counts=true'])(
    'the query %s is refused',
    async (query) => {
      expect((await get(`${streams}?${query}`)).status).toBe(422);
      expect((await get(`${streams}/paginated?${query}`)).status).toBe(422);
    },
  );

  it.each(['x', '%00', '..%2f..', '0'])('the id %s is refused', async (id) => {
    for (const path of [`${streams}/${id}`, `/v2/projects/${id}/log_streams/${randomUUID()}`]) {
      for (const method of ['GET', 'DELETE']) expect((await server.request(method, path)).status).toBe(422);
      expect((await put(path, { name: 'x' })).status).toBe(422);
    }
    expect((await get(`/v2/projects/${id}/log_streams`)).status).toBe(422);
  });

  it('a wrong method is 405 and names the right ones', async () => {
    const reply = await server.request('PATCH', `${streams}/${randomUUID()}`, { name: 'x' });
    expect(reply.status).toBe(405);
    expect(reply.headers.get('allow')).toContain('PUT');
  });
});
