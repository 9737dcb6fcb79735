import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserRole } from '../../../core/access/role.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person, withKey } from '../people.ts';

let server: TestServer;
let user: Person;
beforeEach(async () => {
  server = await startTestServer();
  user = await person(server);
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const refusal = (status: number, code: string) => ({ status, body: { code } });
const make = (by: Pick<Person, 'request'>, facts: object = {}) =>
  by.request('POST', '/v2/users/api_keys', { description: 'ci', ...facts });
const use = (api_key: string, method: string, path: string, body?: unknown) =>
  server.request(method, path, body, { headers: { 'service-api-key': api_key } });
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();
const listed = async (by: Pick<Person, 'request'>, user_id: string) =>
  (await by.request('GET', `/v2/users/${user_id}/api_keys`)).body.api_keys as { id: string; description: string }[];

/** As clients do that know no other header. */
const bearing = (token: string, method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
};

describe('an API key as a bearer token', () => {
  it('is an API key, with its limits, and ends when it is deleted', async () => {
    const project = (await user.request('POST', '/v2/projects', { name: 'mine' })).body;
    const { body: key } = await make(user, { project_id: project.id, max_role: 'viewer' });
    expect(await (await bearing(key.api_key, 'GET', '/v2/current_user')).json()).toMatchObject({ id: user.id });
    expect((await bearing(key.api_key, 'GET', `/v2/projects/${project.id}`)).status).toBe(200);
    expect((await bearing(key.api_key, 'PUT', `/v2/projects/${project.id}`, { name: 'other' })).status).toBe(403);
    expect((await bearing(key.api_key, 'POST', '/v2/projects', { name: 'other' })).status).toBe(403);
    expect((await bearing(key.api_key, 'POST', '/v2/users/api_keys', { description: 'more' })).status).toBe(403);
    expect((await user.request('DELETE', `/v2/users/api_keys/${key.id}`)).status).toBe(200);
    expect((await bearing(key.api_key, 'GET', '/v2/current_user')).status).toBe(401);
  });

  it('counts as a wrong key where it is one; what has the form of a token does not', async () => {
    const statuses = async (token: (at: number) => string) => {
      const replies = await Promise.all(Array.from({ length: 150 }, (_, at) => bearing(token(at), 'GET', '/v2/current_user')));
      return new Set(replies.map(({ status }) => status));
    };
    expect(await statuses((at) => `aaaa.bbbb${at}.cccc`)).toEqual(new Set([401]));
    expect(await statuses((at) => `tsk_wrong${at}`)).toEqual(new Set([401, 429]));
  });
});

describe('an empty API key header', () => {
  const asked = (headers: Record<string, string>) => fetch(`${server.url}/v2/current_user`, { headers });

  it('is as none: a bearer token beside it is good', async () => {
    const { body: key } = await make(user, {});
    for (const value of ['', ' ']) {
      const reply = await asked({ 'Service-API-Key': value, authorization: `Bearer ${key.api_key}` });
      expect(await reply.json()).toMatchObject({ id: user.id });
    }
  });

  it('alone is no credentials, and a wrong key beside a good token is still refused', async () => {
    const { body: key } = await make(user, {});
    expect(await (await asked({ 'Service-API-Key': '' })).json()).toMatchObject({ code: 'credentials_missing' });
    const both = await asked({ 'Service-API-Key': 'tsk_wrong', authorization: `Bearer ${key.api_key}` });
    expect(await both.json()).toMatchObject({ code: 'credentials_refused' });
  });
});

describe('making an API key', () => {
  it('returns the key once, and the key works', async () => {
    const reply = await make(user, { expires_at: null, project_id: null, max_role: null });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      description: 'ci',
      created_at: expect.stringMatching(/Z$/),
      updated_at: reply.body.created_at,
      last_used: null,
      truncated: reply.body.api_key.slice(-4),
      expires_at: null,
      project_id: null,
      max_role: null,
      purpose: null,
      permissions: [],
      api_key: expect.stringMatching(/^tsk_[0-9A-Za-z]{43}$/),
    });
    expect(await use(reply.body.api_key, 'GET', '/v2/current_user')).toMatchObject({ status: 200, body: { id: user.id } });
    const shown = JSON.stringify([await listed(user, user.id), server.logged, await server.cradle.auditStore.readAfter(0, 1000)]);
    expect(shown).not.toContain(reply.body.api_key);
    expect(shown).not.toContain(server.cradle.secrets.digest(reply.body.api_key));
  });

  it.each<UserRole>(['admin', 'manager', 'user', 'read_only'])('is for a %s', async (role) => {
    expect((await make(await person(server, { role }))).status).toBe(200);
  });

  it('keeps the moment it ends, in UTC, and lets it end then', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { body } = await make(user, { expires_at: soon(3_600_000).replace('Z', '+00:00') });
    expect(body.expires_at).toMatch(/Z$/);
    expect((await use(body.api_key, 'GET', '/v2/current_user')).status).toBe(200);
    vi.setSystemTime(Date.now() + 3_600_001);
    expect((await use(body.api_key, 'GET', '/v2/current_user')).status).toBe(401);
  });

  it.each<[string, object]>([
    ['a moment that is past', { expires_at: '2020-01-01T00:00:00Z' }],
    ['no moment', { expires_at: 'tomorrow' }],
    ['an empty description', { description: '' }],
    ['no description', { description: undefined }],
    ['a malformed project', { project_id: 'mine' }],
    ['an unknown role', { max_role: 'admin' }],
  ])('refuses %s', async (_what, facts) => {
    expect((await make(user, facts)).status).toBe(422);
    expect(await listed(user, user.id)).toHaveLength(1);
  });

  it('says which field is wrong when the moment is past', async () => {
    const reply = await make(user, { expires_at: soon(-1) });
    expect(reply).toMatchObject({ status: 422, body: { code: 'expiry_past', detail: [{ loc: ['body', 'expires_at'] }] } });
  });

  it('for a project reaches that project and nothing of the organisation', async () => {
    const project = (await user.request('POST', '/v2/projects', { name: 'mine' })).body;
    const other = (await user.request('POST', '/v2/projects', { name: 'other' })).body;
    const { body } = await make(user, { project_id: project.id.toUpperCase(), max_role: 'viewer' });
    expect(body).toMatchObject({ project_id: project.id, max_role: 'viewer' });
    expect((await use(body.api_key, 'GET', `/v2/projects/${project.id}`)).status).toBe(200);
    expect((await use(body.api_key, 'GET', `/v2/projects/${other.id}`)).status).toBe(404);
    expect(await use(body.api_key, 'PUT', `/v2/projects/${project.id}`, { name: 'x' })).toMatchObject(
      refusal(403, 'role_too_low'),
    );
    expect((await use(body.api_key, 'GET', '/v2/users')).status).toBe(403);
  });

  it('for a project that the caller does not see is as for one that does not exist', async () => {
    const foreign = (await server.request('POST', '/v2/projects', { name: 'foreign' })).body.id;
    const unknown = randomUUID();
    const [one, two] = [await make(user, { project_id: foreign }), await make(user, { project_id: unknown })];
    expect(one).toMatchObject(refusal(404, 'project_not_found'));
    expect({ ...one.body, request_id: '' }).toEqual({
      ...two.body,
      request_id: '',
      detail: two.body.detail.replace(unknown, foreign),
    });
  });

  it('is not for a limited key, nor for a token got for one', async () => {
    const project = (await user.request('POST', '/v2/projects', { name: 'mine' })).body.id;
    for (const limits of [{ project_id: project }, { max_role: 'editor' as const }]) {
      const limited = await withKey(server, user, limits);
      expect(await make(limited, { project_id: project })).toMatchObject(refusal(403, 'role_too_low'));
      const { body } = await server.request('POST', '/v2/login/api_key', { api_key: limited.api_key });
      const reply = await fetch(`${server.url}/v2/users/api_keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ description: 'more' }),
      });
      expect(reply.status).toBe(403);
    }
    expect(await listed(user, user.id)).toHaveLength(3);
  });
});

describe('listing API keys', () => {
  it('shows the newest first, page by page, without secrets', async () => {
    for (const description of ['one', 'two']) {
      await make(user, { description });
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const first = await user.request('GET', `/v2/users/${user.id}/api_keys?limit=2`);
    expect(first.body).toMatchObject({ paginated: true, next_starting_token: 2 });
    const last = await user.request('GET', `/v2/users/${user.id}/api_keys?limit=2&starting_token=2`);
    const keys = [...first.body.api_keys, ...last.body.api_keys];
    expect(keys.map(({ description }: { description: string }) => description)).toEqual(['two', 'one', 'a key of the tests']);
    expect(Object.keys(keys[0]).sort()).toEqual([
      'created_at',
      'description',
      'expires_at',
      'id',
      'last_used',
      'max_role',
      'permissions',
      'project_id',
      'purpose',
      'truncated',
      'updated_at',
    ]);
  });

  it('tells when a key was last used', async () => {
    await user.request('GET', '/v2/current_user');
    const [key] = (await user.request('GET', `/v2/users/${user.id}/api_keys`)).body.api_keys;
    expect(Date.now() - Date.parse(key.last_used)).toBeLessThan(60_000);
  });

  it('of others is for administrators', async () => {
    expect((await server.request('GET', `/v2/users/${user.id}/api_keys`)).body.api_keys).toHaveLength(1);
    for (const role of ['manager', 'user', 'read_only'] as const) {
      const other = await person(server, { role });
      expect(await other.request('GET', `/v2/users/${user.id}/api_keys`)).toMatchObject(refusal(403, 'role_too_low'));
    }
    expect(await server.request('GET', `/v2/users/${randomUUID()}/api_keys`)).toMatchObject(refusal(404, 'user_not_found'));
  });

  it('is not for limited keys', async () => {
    const limited = await withKey(server, user, { max_role: 'viewer' });
    expect(await limited.request('GET', `/v2/users/${user.id}/api_keys`)).toMatchObject(refusal(403, 'role_too_low'));
  });
});

describe('deleting an API key', () => {
  it('works from the next request on, also for tokens got for it', async () => {
    const { body } = await make(user);
    const { access_token } = (await server.request('POST', '/v2/login/api_key', { api_key: body.api_key })).body;
    const byToken = () => fetch(`${server.url}/v2/current_user`, { headers: { authorization: `Bearer ${access_token}` } });
    expect((await use(body.api_key, 'GET', '/v2/current_user')).status).toBe(200);
    expect((await byToken()).status).toBe(200);
    const reply = await user.request('DELETE', `/v2/users/api_keys/${body.id}`);
    expect(reply).toMatchObject({ status: 200, body: { message: expect.stringContaining(body.id) } });
    expect((await use(body.api_key, 'GET', '/v2/current_user')).status).toBe(401);
    expect((await byToken()).status).toBe(401);
    expect(await user.request('DELETE', `/v2/users/api_keys/${body.id}`)).toMatchObject(refusal(404, 'api_key_not_found'));
  });

  it('of others is for administrators; for everybody else those do not exist', async () => {
    const { id } = (await make(user)).body;
    const [other, manager] = [await person(server), await person(server, { role: 'manager' })];
    const unknown = randomUUID();
    for (const someone of [other, manager]) {
      const [foreign, none] = [
        await someone.request('DELETE', `/v2/users/api_keys/${id}`),
        await someone.request('DELETE', `/v2/users/api_keys/${unknown}`),
      ];
      expect(foreign).toMatchObject(refusal(404, 'api_key_not_found'));
      expect(foreign.body.detail).toBe(none.body.detail.replace(unknown, id));
    }
    expect((await server.request('DELETE', `/v2/users/api_keys/${id}`)).status).toBe(200);
    expect((await listed(user, user.id)).map((key) => key.id)).not.toContain(id);
  });

  it('is not for limited keys', async () => {
    const { id } = (await make(user)).body;
    const limited = await withKey(server, user, { max_role: 'editor' });
    expect(await limited.request('DELETE', `/v2/users/api_keys/${id}`)).toMatchObject(refusal(403, 'role_too_low'));
  });

  it('is noted, as making one is', async () => {
    const { id } = (await make(user, { max_role: 'editor' })).body;
    await user.request('DELETE', `/v2/users/api_keys/${id}`);
    const entries = await server.cradle.auditStore.list({ object_id: id }, { offset: 0, limit: 10 });
    expect(entries).toMatchObject([
      { action: 'api_key.delete', actor_id: user.id, details: { user_id: user.id, description: 'ci' } },
      {
        action: 'api_key.create',
        actor_id: user.id,
        details: { description: 'ci', max_role: 'editor', project_id: null, expires_at: null },
      },
    ]);
  });
});

describe('an API key for provisioning', () => {
  it('is made by administrators, without other limits, is listed and noted as such, and keeps users', async () => {
    const admin = await person(server, { role: 'admin' });
    expect(await make(user, { purpose: 'provisioning' })).toMatchObject(refusal(403, 'role_too_low'));
    expect(await make(await person(server, { role: 'manager' }), { purpose: 'provisioning' })).toMatchObject(
      refusal(403, 'role_too_low'),
    );
    for (const limit of [{ max_role: 'viewer' }, { project_id: randomUUID() }])
      expect(await make(admin, { purpose: 'provisioning', ...limit })).toMatchObject({
        status: 422,
        body: { code: 'purpose_limited', detail: [{ loc: ['body', Object.keys(limit)[0]] }] },
      });
    expect((await make(admin, { purpose: 'everything' })).status).toBe(422);
    const { status, body: key } = await make(admin, { description: 'Okta', purpose: 'provisioning' });
    expect({ status, key }).toMatchObject({ status: 200, key: { purpose: 'provisioning', max_role: null } });
    expect(await listed(admin, admin.id)).toContainEqual(
      expect.objectContaining({ description: 'Okta', purpose: 'provisioning' }),
    );
    expect(await listed(user, user.id)).toContainEqual(expect.objectContaining({ purpose: null }));

    const email = `${randomUUID()}@example.com`;
    const given = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: email, emails: [{ value: email }] };
    expect((await bearing(key.api_key, 'POST', '/scim/v2/Users', given)).status).toBe(201);
    expect(await use(key.api_key, 'GET', '/v2/current_user')).toMatchObject(refusal(403, 'key_has_other_purpose'));
    expect(await use(key.api_key, 'POST', '/v2/users/api_keys', { description: 'more' })).toMatchObject(
      refusal(403, 'key_has_other_purpose'),
    );
    const audit = await admin.request('GET', '/v2/audit_log?action=api_key.create');
    expect(JSON.stringify(audit.body)).toContain('"purpose":"provisioning"');
  });
});
