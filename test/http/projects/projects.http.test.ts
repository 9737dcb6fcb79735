import { randomUUID } from 'node:crypto';
import { asValue } from 'awilix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memoryAdapters } from '../../../config/wiring/memory.ts';
import type { AuditStore } from '../../../core/access/audit/audit-store.ts';
import { startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const get = (path: string) => server.request('GET', path);
const post = (path: string, body?: unknown) => server.request('POST', path, body);
const put = (path: string, body?: unknown) => server.request('PUT', path, body);
const names = (projects: { name: string }[]) => projects.map(({ name }) => name);

async function create(name: string, type = 'gen_ai'): Promise<{ id: string; created_by: string }> {
  const { status, body } = await post('/v2/projects', { name, type });
  expect(status).toBe(200);
  return body;
}

describe('creating projects', () => {
  it('returns the new project', async () => {
    const body = { name: 'Atlas', type: 'gen_ai', create_example_templates: false };
    const reply = await post('/v2/projects', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Atlas',
      type: 'gen_ai',
      created_by: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  it('takes null for every optional field', async () => {
    const reply = await post('/v2/projects', { name: 'Atlas', type: null, created_by: null, create_example_templates: null });
    expect(reply).toMatchObject({ status: 200, body: { type: 'training_inference' } });
  });

  it('returns what exists when the name is taken, also to clients that race', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => post('/v2/projects', { name: 'raced', type: 'gen_ai' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await post('/v2/projects/count')).body).toBe(1);
  });

  it('keeps the same name of two types apart', async () => {
    expect((await create('same')).id).not.toBe((await create('same', 'llm_monitor')).id);
  });

  it('refuses a creator who does not exist', async () => {
    const reply = await post('/v2/projects', { name: 'x', created_by: randomUUID() });
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'created_by'] }] } });
  });
});

describe('listing projects', () => {
  it('finds a project by name and type, and returns an empty list otherwise', async () => {
    const { id } = await create('Atlas');
    const found = await get('/v2/projects?project_name=Atlas&type=gen_ai');
    expect(found).toMatchObject({
      status: 200,
      body: [{ id, name: 'Atlas', runs: [], permissions: [], bookmark: false, labels: [] }],
    });
    expect(found.body[0].created_by_user).toMatchObject({ id: found.body[0].created_by, email: expect.any(String) });
    expect(await get('/v2/projects?project_name=atlas&type=gen_ai')).toMatchObject({ status: 200, body: [] });
    expect(await get('/v2/projects?project_name=Atlas&type=guardrail')).toMatchObject({ status: 200, body: [] });
    expect(await get('/projects?project_name=Atlas')).toMatchObject({ status: 200, body: [{ id }] });
  });

  it('lists all in the short form, by either spelling of the type', async () => {
    await create('one');
    await create('two', 'guardrail');
    const { body } = await get('/v2/projects/all');
    expect(new Set(names(body))).toEqual(new Set(['one', 'two']));
    expect(Object.keys(body[0])).not.toContain('created_by_user');
    expect(names((await get('/v2/projects/all?project_type=guardrail')).body)).toEqual(['two']);
    expect(names((await get('/v2/projects/all?type=gen_ai')).body)).toEqual(['one']);
  });

  it('pages through, says when a next page exists, and ends with null', async () => {
    for (const name of ['a', 'b', 'c']) await create(name);
    const sort = { name: 'name', ascending: true, sort_type: 'column' };
    const first = await post('/v2/projects/paginated?limit=2', { sort, filters: null });
    expect(first.body).toMatchObject({ starting_token: 0, limit: 2, paginated: true, next_starting_token: 2 });
    const last = await post('/v2/projects/paginated?limit=2&starting_token=2', { sort });
    expect(last.body).toMatchObject({ starting_token: 2, limit: 2, paginated: false, next_starting_token: null });
    expect(names([...first.body.projects, ...last.body.projects])).toEqual(['a', 'b', 'c']);
  });

  it('takes an absent body, whatever its type says', async () => {
    await create('one');
    expect(await post('/v2/projects/paginated')).toMatchObject({ status: 200, body: { projects: [{ name: 'one' }] } });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await server.request('POST', '/v2/projects/count', undefined, { headers })).toMatchObject({ status: 200, body: 1 });
  });

  it('filters and counts by the same filters', async () => {
    await create('alpha');
    await create('beta');
    await create('beta', 'guardrail');
    const filters = [
      { name: 'type', operator: 'eq', value: 'gen_ai' },
      { name: 'name', operator: 'contains', value: 'BET', case_sensitive: false },
    ];
    const { body } = await post('/v2/projects/paginated', { filters, unknown_field: 1 });
    expect(body.projects).toMatchObject([{ name: 'beta', type: 'gen_ai' }]);
    expect((await post('/v2/projects/count', { filters })).body).toBe(1);
  });

  it('reports the actions that were asked for', async () => {
    await create('one');
    const getPermissions = async (query: string) => (await post(`/v2/projects/paginated${query}`)).body.projects[0].permissions;
    expect(await getPermissions('')).toEqual([]);
    expect(await getPermissions('?actions=update')).toEqual([{ action: 'update', allowed: true, message: null }]);
    const two = await getPermissions('?actions=update&actions=delete');
    expect(two).toMatchObject([{ action: 'update' }, { action: 'delete' }]);
  });
});

describe('one project', () => {
  it('is read by its id, in either case of its letters', async () => {
    const { id } = await create('Atlas');
    expect(await get(`/v2/projects/${id}?project_id=${id}`)).toMatchObject({ status: 200, body: { id, name: 'Atlas' } });
    expect(await get(`/v2/projects/${id.toUpperCase()}`)).toMatchObject({ status: 200, body: { id } });
  });

  it('is changed in the given fields only', async () => {
    const { id } = await create('Atlas');
    const described = await put(`/v2/projects/${id}`, { description: 'maps', labels: ['sample'] });
    expect(described).toMatchObject({
      status: 200,
      body: { name: 'Atlas', type: 'gen_ai', description: 'maps', labels: ['sample'] },
    });
    const renamed = await put(`/v2/projects/${id}`, { name: 'Globe', type: null, labels: null, description: null });
    expect(renamed.body).toMatchObject({ name: 'Globe', type: 'gen_ai', description: 'maps', labels: ['sample'] });
    expect((await put(`/v2/projects/${id}`, { description: '' })).body.description).toBeNull();
    expect((await get(`/v2/projects/${id}`)).body).toMatchObject({ name: 'Globe', description: null, labels: ['sample'] });
  });

  it('cannot take the name of another', async () => {
    await create('one');
    const { id } = await create('two');
    expect(await put(`/v2/projects/${id}`, { name: 'one' })).toMatchObject({ status: 409, body: { code: 'project_exists' } });
    expect((await get(`/v2/projects/${id}`)).body.name).toBe('two');
  });

  it('is deleted with its log streams', async () => {
    const { id } = await create('Atlas');
    const stream = await post(`/v2/projects/${id}/log_streams`, { name: 'default' });
    expect(await server.request('DELETE', `/v2/projects/${id}`)).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    expect((await get(`/v2/projects/${id}`)).status).toBe(404);
    expect((await get(`/v2/projects/${id}/log_streams/${stream.body.id}`)).status).toBe(404);
    expect((await server.request('DELETE', `/v2/projects/${id}`)).status).toBe(404);
  });

  it('returns 404 with a text for an unknown id', async () => {
    const unknown = `/v2/projects/${randomUUID()}`;
    for (const reply of [await get(unknown), await put(unknown, { name: 'x' }), await server.request('DELETE', unknown)]) {
      expect(reply).toMatchObject({ status: 404, body: { detail: expect.any(String), code: 'project_not_found' } });
    }
  });
});

describe('uploading a file', () => {
  const upload = (project_id: string, raw: FormData) =>
    server.request('POST', `/v2/projects/${project_id}/upload_file`, undefined, { raw });
  function form(bytes: Uint8Array<ArrayBuffer> | string, filename = 'notes.txt', upload_metadata: string | undefined = '{}') {
    const parts = new FormData();
    parts.append('file', new Blob([bytes], { type: 'text/plain' }), filename);
    if (upload_metadata !== undefined) parts.append('upload_metadata', upload_metadata);
    return parts;
  }

  it('returns what was kept', async () => {
    const { id } = await create('Atlas');
    const expected = { file_id: expect.any(String), filename: 'notes.txt', content_type: 'text/plain', size_bytes: 5 };
    expect(await upload(id, form('hello'))).toMatchObject({ status: 200, body: expected });
  });

  it('refuses a file above 25 MiB', async () => {
    const { id } = await create('Atlas');
    const reply = await upload(id, form(new Uint8Array(25 * 1024 * 1024 + 1)));
    expect(reply).toMatchObject({ status: 413, body: { code: 'file_too_large' } });
  });

  it('refuses what lacks the file or the metadata', async () => {
    const { id } = await create('Atlas');
    const onlyMetadata = new FormData();
    onlyMetadata.append('upload_metadata', '{}');
    expect(await upload(id, onlyMetadata)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'file'] }] } });
    const onlyFile = new FormData();
    onlyFile.append('file', new Blob(['x']), 'x.txt');
    expect(await upload(id, onlyFile)).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'upload_metadata'] }] } });
    expect((await post(`/v2/projects/${id}/upload_file`, {})).status).toBe(415);
  });

  it('refuses a bracketed field and metadata with a NUL', async () => {
    const { id } = await create('Atlas');
    const bracketed = form('x');
    bracketed.append('a[999999999]', 'x');
    expect((await upload(id, bracketed)).status).toBe(422);
    expect((await upload(id, form('x', 'x.txt', 'a\0b'))).status).toBe(422);
  });

  it('takes any file name for display', async () => {
    const { id } = await create('Atlas');
    for (const filename of ['../../etc/passwd', '🦜'.repeat(200), 'a"b\\c', '%00']) {
      expect((await upload(id, form('x', filename))).status).toBe(200);
    }
  });

  it('returns 404 for an unknown project', async () => {
    expect((await upload(randomUUID(), form('x'))).status).toBe(404);
  });
});

describe('bad input', () => {
  const badNames = ['', ' ', 'a\0b', '\ud800', 'x'.repeat(256), null, 7, ['a'], { value: 'a' }];
  const badBodies: unknown[] = [
    ...badNames.map((name) => ({ name })),
    {},
    [],
    'text',
    7,
    { name: 'x', type: 'unknown' },
    { name: 'x', created_by: 'me' },
    { name: 'x', create_example_templates: 'yes' },
  ];
  it.each(badBodies)('POST of %j is refused and creates nothing', async (body) => {
    const reply = await post('/v2/projects', body);
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0]).toMatchObject({
      loc: expect.arrayContaining(['body']),
      msg: expect.any(String),
      type: expect.any(String),
    });
    expect((await post('/v2/projects/count')).body).toBe(0);
  });

  it.each([
    { filters: [{ name: 'unknown', operator: 'eq', value: 'x' }] },
    { filters: [{ name: 'name; drop table projects', operator: 'eq', value: 'x' }] },
    { filters: [{ name: 'name', operator: "eq' or true", value: 'x' }] },
    { filters: [{ name: 'name', operator: 'eq', value: 'a\0' }] },
    { filters: [{ name: 'id', operator: 'eq', value: 'x' }] },
    { filters: [{ name: 'created_at', operator: 'gt', value: 'infinity' }] },
    { filters: [{ name: 'runs', operator: 'between', value: [1] }] },
    { filters: 'none' },
    { filters: [null] },
    { sort: { name: 'password_hash' } },
    { sort: { name: 'name', ascending: 'asc' } },
    { sort: { name: 'name', sort_type: 'custom' } },
  ])('a search by %j is refused', async (body) => {
    expect((await post('/v2/projects/paginated', body)).status).toBe(422);
    expect((await post('/v2/projects/count', body)).status).toBe(422);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=1&limit=2',
    'starting_token=-1',
    'starting_token=1e20',
    'actions=fly',
    'actions[]=x&limit=NaN',
  ])('the query %s is refused', async (query) => {
    const reply = await post(`/v2/projects/paginated?${query}`);
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0].loc[0]).toBe('query');
  });

  it.each(['type=unknown', 'project_name=%00', 'project_name=a&project_name=b'])('GET /projects?%s is refused', async (query) => {
    expect((await get(`/v2/projects?${query}`)).status).toBe(422);
  });

  it.each(['x', '%00', '..%2f', '{00000000-0000-4000-8000-000000000000}', '1', "1'--"])('the id %s is refused', async (id) => {
    for (const method of ['GET', 'DELETE']) expect((await server.request(method, `/v2/projects/${id}`)).status).toBe(422);
    expect((await put(`/v2/projects/${id}`, { name: 'x' })).status).toBe(422);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string, number]>([
    ['cut off', '{"name": "x"', 'application/json', 422],
    ['null', 'null', 'application/json', 422],
    ['too deep', `{"name": ${'['.repeat(200_000)}`, 'application/json', 422],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'application/json', 422],
    ['empty', '', 'application/json', 422],
    ['text', '{"name":"x"}', 'text/plain', 415],
    ['UTF-16', '{"name":"x"}', 'application/json; charset=utf-16', 415],
  ])('a raw body that is %s is refused', async (_what, body, type, status) => {
    const reply = await server.request('POST', '/v2/projects', undefined, { headers: { 'content-type': type }, raw: body });
    expect(reply).toMatchObject({ status, body: { detail: expect.anything() } });
    expect((await post('/v2/projects/count')).body).toBe(0);
  });

  it('a polluting key changes nothing', async () => {
    const headers = { 'content-type': 'application/json' };
    const send = (raw: string) => server.request('POST', '/v2/projects', undefined, { headers, raw });
    expect((await send('{"name":"x","constructor":{"prototype":{"polluted":1}}}')).status).toBe(200);
    expect(await send('{"name":"y","__proto__":{"polluted":1}}')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', '__proto__'], type: 'name_reserved' }] },
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('a PUT that is refused changes nothing', async () => {
    const { id } = await create('Atlas');
    for (const body of [
      { name: '' },
      { name: 'ok', labels: 'x' },
      { name: 'ok', created_by: randomUUID() },
      { description: 'a\0' },
    ]) {
      expect((await put(`/v2/projects/${id}`, body)).status).toBe(422);
    }
    expect((await get(`/v2/projects/${id}`)).body).toMatchObject({ name: 'Atlas', labels: [], description: null });
  });

  it('a missing credential is 401 before anything else', async () => {
    for (const path of ['/v2/projects', '/v2/projects/not-an-id']) {
      const reply = await fetch(`${server.url}${path}`);
      expect(reply.status).toBe(401);
      expect(await reply.json()).toHaveProperty('detail');
    }
  });
});

describe('a rename that cannot be noted in the audit log', () => {
  it('leaves the old name', async () => {
    let isBroken = false;
    const { auditStore } = memoryAdapters();
    const breaking = () => {
      const kept = auditStore.resolve(undefined as never);
      const append: AuditStore['append'] = async (...line) => {
        if (isBroken) throw new Error('no room for the line');
        await kept.append(...line);
      };
      return { list: kept.list, readAfter: kept.readAfter, append };
    };
    const failing = await startTestServer({ overrides: { auditStore: asValue(breaking()) } });
    try {
      const { body } = await failing.request('POST', '/v2/projects', { name: 'Old' });
      isBroken = true;
      expect((await failing.request('PUT', `/v2/projects/${body.id}`, { name: 'New' })).status).toBe(500);
      isBroken = false;
      expect((await failing.request('GET', `/v2/projects/${body.id}`)).body.name).toBe('Old');
    } finally {
      await failing.close();
    }
  });
});
