import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { UserRole } from '../../../core/access/role.ts';
import { ADMIN } from '../harness.ts';
import { type Person, person, withKey } from '../people.ts';
import { PASSWORD, refusal, userFixture } from './user-fixture.ts';

const fixture = userFixture();
const { admin, toAudit, createUser, login, getToken, withToken } = fixture;

describe('the current user', () => {
  it('is whoever the credentials belong to', async () => {
    expect(await admin('GET', '/v2/current_user')).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: ADMIN.email,
        first_name: '',
        last_name: '',
        role: 'admin',
        auth_method: 'email',
        email_is_verified: true,
        is_disabled: false,
        organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        organization_name: 'default',
        permissions: [],
      },
    });
  });

  it('is shown to every key, and shows no secret', async () => {
    const { id } = await person(fixture.server, { role: 'read_only' });
    const user = { id, email: `${id}@example.org` };
    for (const limits of [{}, { project_id: randomUUID() }, { max_role: 'viewer' as const }]) {
      const { request } = await withKey(fixture.server, user, limits);
      const reply = await request('GET', '/v2/current_user');
      expect(reply).toMatchObject({ status: 200, body: { id } });
      expect(Object.keys(reply.body)).not.toContain('password_hash');
      expect(Object.keys(reply.body)).not.toContain('token_version');
    }
  });

  it('carries the name of the organisation', async () => {
    await fixture.server.cradle.accessStore.renameOrganization('Atlas Works');
    expect((await admin('GET', '/v2/current_user')).body.organization_name).toBe('Atlas Works');
  });
});

describe('reading users', () => {
  it('lists all to everyone, oldest first and page by page', async () => {
    const reader = await person(fixture.server, { role: 'read_only' });
    const third = await createUser();
    const first = await reader.request('GET', '/v2/users?limit=2');
    expect(first.body).toMatchObject({ starting_token: 0, limit: 2, paginated: true, next_starting_token: 2 });
    const last = await reader.request('GET', '/v2/users?limit=2&starting_token=2');
    expect(last.body).toMatchObject({ paginated: false, next_starting_token: null });
    const ids = [...first.body.users, ...last.body.users].map(({ id }: { id: string }) => id);
    expect(ids[0]).toBe(fixture.adminId);
    expect(ids.toSorted()).toEqual([fixture.adminId, reader.id, third.id].toSorted());
    expect(JSON.stringify([first.body, last.body])).not.toMatch(/password|token_version/);
  });

  it('finds one by its id, and returns 404 for an unknown one', async () => {
    const reader = await person(fixture.server);
    expect(await reader.request('GET', `/v2/users/${fixture.adminId.toUpperCase()}`)).toMatchObject({
      status: 200,
      body: { id: fixture.adminId, email: ADMIN.email, permissions: [] },
    });
    expect(await reader.request('GET', `/v2/users/${randomUUID()}`)).toMatchObject(refusal(404, 'user_not_found'));
    expect((await reader.request('GET', '/v2/users/nobody')).status).toBe(422);
  });

  it('is not for keys made for one project', async () => {
    const someone = await person(fixture.server, { role: 'admin', key: { project_id: randomUUID() } });
    for (const path of ['/v2/users', `/v2/users/${fixture.adminId}`, `/v2/users/${randomUUID()}`])
      expect(await someone.request('GET', path)).toMatchObject(refusal(403, 'role_too_low'));
  });

  it('reports the actions that were asked for', async () => {
    const [manager, user] = [await person(fixture.server, { role: 'manager' }), await person(fixture.server)];
    const allowed = async (asker: Pick<Person, 'request'>, about: string) => {
      const query = 'actions=update&actions=delete&actions=read_api_keys';
      const { body } = await asker.request('GET', `/v2/users?${query}`);
      const { permissions } = body.users.find(({ id }: { id: string }) => id === about);
      return Object.fromEntries(permissions.map((one: { action: string; allowed: boolean }) => [one.action, one.allowed]));
    };
    expect(await allowed({ request: admin }, user.id)).toEqual({ update: true, delete: true, read_api_keys: true });
    expect(await allowed({ request: admin }, fixture.adminId)).toEqual({ update: true, delete: false, read_api_keys: true });
    expect(await allowed(manager, user.id)).toEqual({ update: true, delete: false, read_api_keys: false });
    expect(await allowed(manager, fixture.adminId)).toEqual({ update: false, delete: false, read_api_keys: false });
    expect(await allowed(user, user.id)).toEqual({ update: true, delete: false, read_api_keys: true });
    const limited = await withKey(fixture.server, user, { max_role: 'editor' });
    expect(await allowed(limited, user.id)).toEqual({ update: false, delete: false, read_api_keys: false });
    const one = (await user.request('GET', '/v2/users?actions=delete')).body.users[0].permissions;
    expect(one).toEqual([{ action: 'delete', allowed: false, message: 'only administrators delete users' }]);
    expect((await user.request('GET', '/v2/users?actions=rename')).status).toBe(422);
  });
});

describe('creating a user', () => {
  it('returns the user, who can log in at once', async () => {
    const body = { email: ' Ada@Example.org ', first_name: 'Ada', last_name: null, password: PASSWORD };
    const reply = await admin('POST', '/v2/users', body);
    expect(reply).toMatchObject({
      status: 200,
      body: { email: 'ada@example.org', first_name: 'Ada', last_name: '', role: 'user', email_is_verified: true },
    });
    expect((await login('ada@example.org', PASSWORD)).status).toBe(200);
    expect(await fixture.server.mails()).toEqual([]);
  });

  it('works without a password too: then nobody logs in with one', async () => {
    const { email } = await createUser({ role: 'read_only', password: null });
    expect((await login(email, '')).status).not.toBe(200);
    expect((await login(email, 'null')).status).toBe(401);
  });

  it('mails a code to an address that nobody vouches for', async () => {
    const { email, id } = await createUser({ password: PASSWORD, email_is_verified: false });
    expect((await admin('GET', `/v2/users/${id}`)).body.email_is_verified).toBe(false);
    expect((await fixture.server.mails()).map(({ to }) => to)).toEqual([email]);
    expect((await login(email, PASSWORD)).status).toBe(401);
  });

  it('refuses a taken e-mail, however it is spelled', async () => {
    expect(await admin('POST', '/v2/users', { email: ADMIN.email.toUpperCase() })).toMatchObject(refusal(409, 'user_exists'));
    expect((await admin('GET', '/v2/users')).body.users).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['no e-mail', {}],
    ['something that is no e-mail', { email: 'ada' }],
    ['two addresses', { email: 'a@example.org,b@example.org' }],
    ['a line break in the e-mail', { email: 'a@example.org\nBcc: b@example.org' }],
    ['a short password', { email: 'a@example.org', password: '1234567' }],
    ['a password that is short in its normal form', { email: 'a@example.org', password: 'e\u0301e\u0301e\u0301' }],
    ['a password longer than 1024 bytes', { email: 'a@example.org', password: 'ü'.repeat(513) }],
    ['a password that grows beyond 1024 bytes', { email: 'a@example.org', password: '\ufdfa'.repeat(40) }],
    ['a password with a NUL', { email: 'a@example.org', password: 'long enough\0' }],
    ['a password with a lone surrogate', { email: 'a@example.org', password: 'long enough\ud800' }],
    ['an unknown role', { email: 'a@example.org', role: 'root' }],
    ['a NUL in a name', { email: 'a@example.org', first_name: 'A\0' }],
  ])('refuses %s, and repeats no password', async (_what, body) => {
    const reply = await admin('POST', '/v2/users', body);
    expect(reply.status).toBe(422);
    if ('password' in body) expect(JSON.stringify(reply.body)).not.toContain(JSON.stringify(body.password).slice(1, -1));
    expect((await admin('GET', '/v2/users')).body.users).toHaveLength(1);
  });

  it('takes a password of 8 and of 1024 bytes, in either form of its letters', async () => {
    const eight = await createUser({ password: 'éééé' });
    expect((await login(eight.email, 'e\u0301e\u0301e\u0301e\u0301')).status).toBe(200);
    const long = await createUser({ password: 'x'.repeat(1024) });
    expect((await login(long.email, 'x'.repeat(1024))).status).toBe(200);
  });

  it.each<[UserRole, UserRole, number]>([
    ['admin', 'admin', 200],
    ['admin', 'manager', 200],
    ['manager', 'user', 200],
    ['manager', 'read_only', 200],
    ['manager', 'manager', 403],
    ['manager', 'admin', 403],
    ['user', 'read_only', 403],
    ['read_only', 'read_only', 403],
  ])('by a %s of a %s returns %i', async (mine, role, status) => {
    const creator = await person(fixture.server, { role: mine });
    const reply = await creator.request('POST', '/v2/users', { email: 'new@example.org', role });
    expect(reply.status).toBe(status);
    if (status === 403) expect(reply.body.code).toBe('role_too_low');
  });

  it('is not for keys that may do less than their owner', async () => {
    for (const key of [{ project_id: randomUUID() }, { max_role: 'editor' as const }]) {
      const { request } = await person(fixture.server, { role: 'admin', key });
      expect(await request('POST', '/v2/users', { email: 'new@example.org' })).toMatchObject(refusal(403, 'role_too_low'));
    }
  });

  it('is noted in the audit log without the password', async () => {
    const { id, email } = await createUser({ password: PASSWORD });
    const details = { email, role: 'user', email_is_verified: true };
    expect(await toAudit(id)).toEqual([{ action: 'user.create', details, actor_id: fixture.adminId }]);
  });
});

describe('changing a user', () => {
  it('changes the given fields only', async () => {
    const { id } = await createUser({ first_name: 'Ada', last_name: 'L' });
    const reply = await admin('PATCH', `/v2/users/${id}`, { first_name: 'Eve', last_name: null, role: null, email: null });
    expect(reply).toMatchObject({ status: 200, body: { id, first_name: 'Eve', last_name: 'L', role: 'user' } });
    expect(await admin('PATCH', `/v2/users/${id}`, {})).toMatchObject({ status: 200, body: { first_name: 'Eve' } });
    expect((await admin('PATCH', `/v2/users/${id}`, { last_name: '' })).body.last_name).toBe('');
  });

  it('returns 404 for an unknown user, 409 for a taken e-mail and 422 for a bad body', async () => {
    const { id } = await createUser();
    expect(await admin('PATCH', `/v2/users/${randomUUID()}`, { password: PASSWORD })).toMatchObject(
      refusal(404, 'user_not_found'),
    );
    expect(await admin('PATCH', `/v2/users/${id}`, { email: ADMIN.email })).toMatchObject(refusal(409, 'user_exists'));
    expect((await admin('PATCH', `/v2/users/${id}`, { password: 'short' })).status).toBe(422);
    expect((await admin('PATCH', `/v2/users/${id}`, { role: 'root' })).status).toBe(422);
  });

  it('lets everyone change their own names', async () => {
    const reader = await person(fixture.server, { role: 'read_only' });
    const reply = await reader.request('PATCH', `/v2/users/${reader.id}`, { first_name: 'Rea', role: 'read_only' });
    expect(reply).toMatchObject({ status: 200, body: { first_name: 'Rea' } });
  });

  it.each<[string, UserRole, UserRole, object, string | null]>([
    ['a user the names of another', 'user', 'user', { first_name: 'x' }, 'role_too_low'],
    ['a read-only user the password of another', 'read_only', 'user', { password: PASSWORD }, 'role_too_low'],
    ['a manager the names of a user', 'manager', 'user', { first_name: 'x' }, null],
    ['a manager the e-mail of a user', 'manager', 'user', { email: 'other@example.org' }, null],
    ['a manager the state of a read-only user', 'manager', 'read_only', { is_disabled: true }, null],
    ['a manager a user to read-only', 'manager', 'user', { role: 'read_only' }, null],
    ['a manager a user to manager', 'manager', 'user', { role: 'manager' }, 'role_too_low'],
    ['a manager a user to administrator', 'manager', 'read_only', { role: 'admin' }, 'role_too_low'],
    ['a manager the names of a manager', 'manager', 'manager', { first_name: 'x' }, 'role_too_low'],
    ['a manager the password of an administrator', 'manager', 'admin', { password: PASSWORD }, 'role_too_low'],
    ['an administrator an administrator to user', 'admin', 'admin', { role: 'user' }, null],
  ])('lets or does not let %s', async (_what, mine, theirs, change, code) => {
    const [actor, target] = [await person(fixture.server, { role: mine }), await person(fixture.server, { role: theirs })];
    const reply = await actor.request('PATCH', `/v2/users/${target.id}`, change);
    expect(reply).toMatchObject(code === null ? { status: 200 } : refusal(403, code));
    const kept = await fixture.server.cradle.accessStore.findUser(target.id);
    if (code !== null) expect(kept).toMatchObject({ role: theirs, first_name: '', password_hash: null });
  });

  it.each<[UserRole, object]>([
    ['admin', { role: 'user' }],
    ['admin', { is_disabled: true }],
    ['manager', { role: 'admin' }],
    ['manager', { email: 'other@example.org' }],
    ['user', { role: 'admin' }],
    ['user', { is_disabled: true, first_name: 'x' }],
    ['read_only', { email: 'other@example.org' }],
  ])('does not let a %s do %o to themselves', async (role, change) => {
    const self = await person(fixture.server, { role });
    expect(await self.request('PATCH', `/v2/users/${self.id}`, change)).toMatchObject(refusal(403, 'own_account_protected'));
    expect(await fixture.server.cradle.accessStore.findUser(self.id)).toMatchObject({ role, is_disabled: false, first_name: '' });
  });

  it('is not for keys that may do less than their owner, not even on their own user', async () => {
    const { id, email } = await person(fixture.server, { role: 'admin' });
    for (const limits of [{ project_id: randomUUID() }, { max_role: 'annotator' as const }]) {
      const { request } = await withKey(fixture.server, { id, email }, limits);
      for (const target of [id, fixture.adminId])
        expect(await request('PATCH', `/v2/users/${target}`, { first_name: 'x' })).toMatchObject(refusal(403, 'role_too_low'));
    }
  });

  it('is noted with the names of the fields and the roles, without values', async () => {
    const { id } = await createUser();
    await admin('PATCH', `/v2/users/${id}`, { role: 'manager', password: PASSWORD, first_name: 'Ada' });
    await admin('PATCH', `/v2/users/${id}`, { role: 'manager' });
    const details = { changed: 'first_name, password, role', role_before: 'user', role_after: 'manager' };
    expect((await toAudit(id))[0]).toEqual({ action: 'user.update', details, actor_id: fixture.adminId });
    expect(await toAudit(id)).toHaveLength(2);
  });
});

describe('changing a password', () => {
  it('of one’s own needs the current one', async () => {
    const { id, email } = await createUser({ password: PASSWORD });
    const token = await getToken(email);
    const change = (body: object) => withToken(token, 'PATCH', `/v2/users/${id}`, body);
    expect(await change({ password: 'another password' })).toMatchObject({
      status: 422,
      body: { code: 'current_password_missing', detail: [{ loc: ['body', 'current_password'] }] },
    });
    const wrong = { password: 'another password', current_password: 'guess' };
    expect(await change(wrong)).toMatchObject(refusal(403, 'current_password_wrong'));
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await change({ password: 'another password', current_password: PASSWORD })).status).toBe(200);
    expect((await login(email, PASSWORD)).status).toBe(401);
    expect((await login(email, 'another password')).status).toBe(200);
  });

  it('cannot be used to find out the current one', async () => {
    const { id, email } = await createUser({ password: PASSWORD });
    const token = await getToken(email);
    const guess = (current_password: string) =>
      withToken(token, 'PATCH', `/v2/users/${id}`, { password: 'another password', current_password });
    for (let tries = 0; tries < 10; tries += 1) expect((await guess(`guess ${tries}`)).status).toBe(403);
    const reply = await guess(PASSWORD);
    expect(reply).toMatchObject(refusal(429, 'rate_limited'));
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(800);
  });

  it('is left to others where there is none yet', async () => {
    const { id, email } = await createUser();
    const self = await withKey(fixture.server, { id, email });
    const own = { password: PASSWORD, current_password: '' };
    expect(await self.request('PATCH', `/v2/users/${id}`, own)).toMatchObject(refusal(403, 'password_not_set'));
    expect((await admin('PATCH', `/v2/users/${id}`, { password: PASSWORD })).status).toBe(200);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });
});
