import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../core/access/caller.ts';
import type { UserRole } from '../../../core/access/role.ts';
import { person, withKey } from '../people.ts';
import { PASSWORD, refusal, userFixture } from './user-fixture.ts';

const fixture = userFixture();
const { admin, toAudit, createUser, login, getToken, withToken } = fixture;

describe('sessions', () => {
  it.each<[string, object]>([
    ['password', { password: 'another password' }],
    ['role', { role: 'read_only' }],
    ['e-mail', { email: 'other@example.org' }],
    ['state', { is_disabled: true }],
  ])('end when the %s changes', async (_what, change) => {
    const { id, email } = await createUser({ password: PASSWORD });
    const token = await getToken(email);
    const { loginStore } = fixture.server.cradle;
    const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:00:00.000Z', used_at: null };
    await loginStore.insertRefreshToken({
      token_hash: 'r',
      family_id: 'f',
      user_id: id,
      token_version: 0,
      api_key_id: null,
      ...times,
    });
    expect((await withToken(token, 'GET', '/v2/current_user')).status).toBe(200);
    expect((await admin('PATCH', `/v2/users/${id}`, change)).status).toBe(200);
    expect((await withToken(token, 'GET', '/v2/current_user')).status).toBe(401);
    expect(await loginStore.useRefreshToken('r', times.created_at)).toBeUndefined();
  });

  it('go on when only a name changes, or nothing', async () => {
    const { id, email } = await createUser({ password: PASSWORD });
    const token = await getToken(email);
    await admin('PATCH', `/v2/users/${id}`, { first_name: 'Ada', role: 'user', email, is_disabled: false });
    expect((await withToken(token, 'GET', '/v2/current_user')).status).toBe(200);
  });

  it('of a disabled user cannot begin, with keys neither, until they are enabled again', async () => {
    const { id, email } = await createUser({ password: PASSWORD });
    const self = await withKey(fixture.server, { id, email });
    expect((await self.request('GET', '/v2/current_user')).status).toBe(200);
    await admin('PATCH', `/v2/users/${id}`, { is_disabled: true });
    expect((await self.request('GET', '/v2/current_user')).status).toBe(401);
    expect(await login(email, PASSWORD)).toMatchObject(refusal(401, 'login_refused'));
    await admin('PATCH', `/v2/users/${id}`, { is_disabled: false });
    expect((await self.request('GET', '/v2/current_user')).status).toBe(200);
    expect((await login(email, PASSWORD)).status).toBe(200);
  });
});

describe('the last administrator', () => {
  it.each<[string, string, object | undefined]>([
    ['demoted', 'PATCH', { role: 'manager' }],
    ['disabled', 'PATCH', { is_disabled: true }],
    ['deleted', 'DELETE', undefined],
  ])('cannot be %s', async (_what, method, body) => {
    await person(fixture.server, { role: 'manager' });
    const disabled = await person(fixture.server, { role: 'admin' });
    await admin('PATCH', `/v2/users/${disabled.id}`, { is_disabled: true });
    expect(await admin(method, `/v2/users/${fixture.adminId}`, body)).toMatchObject(refusal(422, 'last_admin'));
    expect(await fixture.server.cradle.accessStore.findUser(fixture.adminId)).toMatchObject({
      role: 'admin',
      is_disabled: false,
    });
  });

  it('cannot be taken away by one who was demoted a moment ago', async () => {
    const { id, email } = await person(fixture.server, { role: 'admin' });
    await admin('PATCH', `/v2/users/${id}`, { role: 'user' });
    const origin = { request_id: 'r', address: '127.0.0.1' };
    const stale: Caller = {
      user_id: id,
      email,
      role: 'admin',
      scheme: 'bearer',
      api_key_id: null,
      project_id: null,
      max_role: null,
      purpose: null,
      origin,
    };
    const { userService } = fixture.server.cradle;
    const demotion = { role: 'user' as const };
    await expect(userService.updateUser(stale, fixture.adminId, demotion)).rejects.toMatchObject({ code: 'last_admin' });
    await expect(userService.deleteUser(stale, fixture.adminId)).rejects.toMatchObject({ code: 'last_admin' });
  });
});

describe('deleting a user', () => {
  it('ends their keys and tokens', async () => {
    const { id, email } = await createUser({ password: PASSWORD });
    const token = await getToken(email);
    const self = await withKey(fixture.server, { id, email });
    expect((await self.request('GET', '/v2/current_user')).status).toBe(200);
    expect(await admin('DELETE', `/v2/users/${id}`)).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining(id) },
    });
    expect((await self.request('GET', '/v2/current_user')).status).toBe(401);
    expect((await withToken(token, 'GET', '/v2/current_user')).status).toBe(401);
    expect(await admin('GET', `/v2/users/${id}`)).toMatchObject(refusal(404, 'user_not_found'));
    expect(await admin('DELETE', `/v2/users/${id}`)).toMatchObject(refusal(404, 'user_not_found'));
  });

  it('hands what only they owned to the caller, and leaves the rest to its other owners', async () => {
    const [leaving, staying] = [await person(fixture.server), await person(fixture.server)];
    const own = (await leaving.request('POST', '/v2/projects', { name: 'own' })).body;
    const shared = { kind: 'project' as const, id: (await leaving.request('POST', '/v2/projects', { name: 'shared' })).body.id };
    const { collaboratorStore } = fixture.server.cradle;
    const row = { id: randomUUID(), user_id: staying.id, role: 'owner' as const, created_at: new Date().toISOString() };
    await collaboratorStore.putUsers(shared, [row]);
    await admin('DELETE', `/v2/users/${leaving.id}`);
    expect(await collaboratorStore.holdOwners({ kind: 'project', id: own.id })).toEqual([fixture.adminId]);
    expect(await collaboratorStore.holdOwners(shared)).toEqual([staying.id]);
    expect((await staying.request('GET', `/v2/projects/${shared.id}`)).body.created_by).toBe(leaving.id);
    expect(await toAudit(own.id)).toContainEqual({
      action: 'project.take_over',
      details: { from: leaving.id },
      actor_id: fixture.adminId,
    });
    const details = { email: leaving.email, role: 'user', objects_taken_over: 1, groups_taken_over: 0 };
    expect((await toAudit(leaving.id))[0]).toEqual({ action: 'user.delete', details, actor_id: fixture.adminId });
  });

  it('takes them out of their groups, which keep a maintainer', async () => {
    const [leaving, staying] = [await person(fixture.server), await person(fixture.server)];
    const { groupStore } = fixture.server.cradle;
    const created_at = new Date().toISOString();
    const group = (id: string) =>
      groupStore.insert({
        id,
        name: id,
        description: '',
        visibility: 'public',
        created_by: leaving.id,
        created_at,
        updated_at: created_at,
      });
    const member = (group_id: string, user_id: string, role: 'maintainer' | 'member') => ({
      id: randomUUID(),
      group_id,
      user_id,
      role,
      created_at,
    });
    const [alone, together] = [randomUUID(), randomUUID()];
    for (const id of [alone, together]) await group(id);
    await groupStore.putMembers([member(alone, leaving.id, 'maintainer'), member(alone, staying.id, 'member')]);
    await groupStore.putMembers([member(together, leaving.id, 'maintainer'), member(together, staying.id, 'maintainer')]);
    await admin('DELETE', `/v2/users/${leaving.id}`);
    expect(await groupStore.toGroups(leaving.id)).toEqual([]);
    expect(await groupStore.holdMaintainers(alone)).toEqual([fixture.adminId]);
    expect(await groupStore.holdMaintainers(together)).toEqual([staying.id]);
    expect(await groupStore.findMember(together, fixture.adminId)).toBeUndefined();
  });

  it.each<UserRole>(['manager', 'user', 'read_only'])('is not for a %s', async (role) => {
    const [actor, target] = [await person(fixture.server, { role }), await person(fixture.server)];
    expect(await actor.request('DELETE', `/v2/users/${target.id}`)).toMatchObject(refusal(403, 'role_too_low'));
    expect(await actor.request('DELETE', `/v2/users/${actor.id}`)).toMatchObject(refusal(403, 'own_account_protected'));
    expect(await actor.request('DELETE', `/v2/users/${fixture.adminId}`)).toMatchObject(refusal(403, 'role_too_low'));
    expect(await fixture.server.cradle.accessStore.findUser(target.id)).toBeDefined();
  });

  it('is not done to oneself, nor by a limited key', async () => {
    const { id, email, request } = await person(fixture.server, { role: 'admin' });
    expect(await request('DELETE', `/v2/users/${id}`)).toMatchObject(refusal(403, 'own_account_protected'));
    for (const limits of [{ project_id: randomUUID() }, { max_role: 'viewer' as const }]) {
      const limited = await withKey(fixture.server, { id, email }, limits);
      expect(await limited.request('DELETE', `/v2/users/${fixture.adminId}`)).toMatchObject(refusal(403, 'role_too_low'));
    }
  });
});
