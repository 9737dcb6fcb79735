import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../harness.ts';
import { type Person, person, withKey } from '../people.ts';
import { type Actors, audited, createGroup, peopledGroup, rolesIn, shareDataset, startActors } from './group-actors.ts';

let actors: Actors;
let server: TestServer;
let maintainer: Person;
let member: Person;
let pending: Person;
let outsider: Person;
let admin: Person;

beforeEach(async () => {
  actors = await startActors();
  ({ server, maintainer, member, pending, outsider, admin } = actors);
});
afterEach(() => server.close());

describe('members', () => {
  it('are added with a role, and get a new one when they are in the group', async () => {
    const id = await createGroup(maintainer);
    const added = await maintainer.request('POST', `/v2/groups/${id}/members`, [
      { user_id: member.id.toUpperCase() },
      { user_id: outsider.id, role: 'maintainer' },
    ]);
    expect(added.status).toBe(200);
    expect(added.body).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user_id: member.id,
        email: member.email,
        first_name: '',
        last_name: '',
        role: 'member',
        group_role: 'member',
        created_at: expect.stringMatching(/Z$/),
        permissions: [],
      },
      expect.objectContaining({ user_id: outsider.id, email: outsider.email, role: 'maintainer' }),
    ]);
    const again = await outsider.request('POST', `/v2/groups/${id}/members`, [{ user_id: member.id, role: 'pending' }]);
    expect(again.body).toEqual([{ ...added.body[0], role: 'pending', group_role: 'pending' }]);
    expect((await maintainer.request('GET', `/v2/groups/${id}`)).body.size).toBe(2);
  });

  it('have to be users', async () => {
    const id = await createGroup(maintainer);
    const unknown = randomUUID();
    const reply = await maintainer.request('POST', `/v2/groups/${id}/members`, [{ user_id: member.id }, { user_id: unknown }]);
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'user_unknown', detail: [{ loc: ['body', 1, 'user_id'], type: 'user_unknown', input: unknown }] },
    });
    expect(await rolesIn(actors, id)).toEqual({ [maintainer.id]: 'maintainer' });
  });

  it('stand in a request once', async () => {
    const id = await createGroup(maintainer);
    const twice = [{ user_id: member.id }, { user_id: member.id.toUpperCase(), role: 'maintainer' }];
    const reply = await maintainer.request('POST', `/v2/groups/${id}/members`, twice);
    expect(reply).toMatchObject({ status: 422, body: { code: 'member_repeated', detail: [{ loc: ['body', 1, 'user_id'] }] } });
    expect((await maintainer.request('POST', `/v2/groups/${id}/members`, [])).status).toBe(422);
  });

  it('are listed oldest first, page by page', async () => {
    const id = await peopledGroup(actors, 'private');
    const first = (await member.request('GET', `/v2/groups/${id}/members?limit=2`)).body;
    expect(first).toMatchObject({ limit: 2, paginated: true, next_starting_token: 2 });
    const rest = (await member.request('GET', `/v2/groups/${id}/members?limit=2&starting_token=2`)).body;
    expect(rest).toMatchObject({ paginated: false, next_starting_token: null });
    const all = [...first.members, ...rest.members];
    expect(all[0]).toMatchObject({ user_id: maintainer.id, role: 'maintainer', permissions: [] });
    expect(new Set(all.map(({ role }) => role))).toEqual(new Set(['maintainer', 'member', 'pending']));
  });

  it('are changed by maintainers alone', async () => {
    const id = await peopledGroup(actors, 'public');
    for (const who of [outsider, pending, member]) {
      const calls = await Promise.all([
        who.request('POST', `/v2/groups/${id}/members`, [{ user_id: who.id, role: 'maintainer' }]),
        who.request('PATCH', `/v2/groups/${id}/members/${who.id}`, { role: 'maintainer' }),
        who.request('DELETE', `/v2/groups/${id}/members/${maintainer.id}`),
        who.request('DELETE', `/v2/groups/${id}/members/${randomUUID()}`),
      ]);
      for (const reply of calls) expect(reply).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
    }
    expect(await rolesIn(actors, id)).toEqual({ [maintainer.id]: 'maintainer', [member.id]: 'member', [pending.id]: 'pending' });
  });

  it('who are pending are approved by a new role', async () => {
    const id = await peopledGroup(actors, 'hidden');
    expect((await pending.request('GET', `/v2/groups/${id}`)).status).toBe(404);
    const approved = await maintainer.request('PATCH', `/v2/groups/${id}/members/${pending.id}`, { role: 'member' });
    expect(approved).toMatchObject({ status: 200, body: { user_id: pending.id, email: pending.email, role: 'member' } });
    expect((await pending.request('GET', `/v2/groups/${id}`)).body).toMatchObject({ role: 'member', size: 3 });
  });

  it('lose sight of a hidden group when they are removed', async () => {
    const id = await peopledGroup(actors, 'hidden');
    expect((await maintainer.request('DELETE', `/v2/groups/${id}/members/${member.id}`)).status).toBe(200);
    expect((await member.request('GET', `/v2/groups/${id}`)).status).toBe(404);
    expect((await maintainer.request('GET', `/v2/groups/${id}`)).body.size).toBe(1);
  });

  it('who are not in the group cannot be changed or removed', async () => {
    const id = await createGroup(maintainer);
    const path = `/v2/groups/${id}/members/${outsider.id}`;
    const unknown = { status: 404, body: { code: 'group_member_not_found' } };
    expect(await maintainer.request('PATCH', path, { role: 'member' })).toMatchObject(unknown);
    expect(await maintainer.request('DELETE', path)).toMatchObject(unknown);
    expect(await outsider.request('DELETE', path)).toMatchObject(unknown);
    expect(await rolesIn(actors, id)).toEqual({ [maintainer.id]: 'maintainer' });
  });

  it('leave by removing themselves', async () => {
    const id = await peopledGroup(actors, 'protected');
    for (const who of [member, pending]) {
      expect((await who.request('DELETE', `/v2/groups/${id}/members/${who.id}`)).status).toBe(200);
    }
    expect(await rolesIn(actors, id)).toEqual({ [maintainer.id]: 'maintainer' });
  });

  it('gain and lose what is shared with the group at once', async () => {
    const id = await createGroup(maintainer, { visibility: 'public' });
    const getRole = await shareDataset(actors, id, 'viewer');
    expect(await getRole(outsider)).toBeUndefined();
    await outsider.request('POST', `/v2/groups/${id}/join`);
    expect(await getRole(outsider)).toBe('viewer');
    await maintainer.request('PATCH', `/v2/groups/${id}/members/${outsider.id}`, { role: 'pending' });
    expect(await getRole(outsider)).toBeUndefined();
    await maintainer.request('POST', `/v2/groups/${id}/members`, [{ user_id: outsider.id }]);
    expect(await getRole(outsider)).toBe('viewer');
    await outsider.request('DELETE', `/v2/groups/${id}/members/${outsider.id}`);
    expect(await getRole(outsider)).toBeUndefined();
  });
});

describe('the last maintainer', () => {
  const refused = { status: 422, body: { code: 'last_maintainer' } };

  it('stays, whoever asks', async () => {
    const id = await peopledGroup(actors, 'private');
    const path = `/v2/groups/${id}/members/${maintainer.id}`;
    for (const who of [maintainer, admin]) {
      expect(await who.request('DELETE', path)).toMatchObject(refused);
      expect(await who.request('PATCH', path, { role: 'member' })).toMatchObject(refused);
      const demoted = [{ user_id: maintainer.id, role: 'pending' }, { user_id: outsider.id }];
      expect(await who.request('POST', `/v2/groups/${id}/members`, demoted)).toMatchObject(refused);
    }
    expect(await rolesIn(actors, id)).toEqual({ [maintainer.id]: 'maintainer', [member.id]: 'member', [pending.id]: 'pending' });
    expect((await maintainer.request('PATCH', path, { role: 'maintainer' })).status).toBe(200);
  });

  it('may go when there is another, also in the same request', async () => {
    const id = await peopledGroup(actors, 'private');
    const swapped = [
      { user_id: maintainer.id, role: 'member' },
      { user_id: member.id, role: 'maintainer' },
    ];
    expect((await maintainer.request('POST', `/v2/groups/${id}/members`, swapped)).status).toBe(200);
    expect((await maintainer.request('PATCH', `/v2/groups/${id}`, { name: 'x' })).status).toBe(403);
    await member.request('PATCH', `/v2/groups/${id}/members/${maintainer.id}`, { role: 'maintainer' });
    expect((await maintainer.request('DELETE', `/v2/groups/${id}/members/${maintainer.id}`)).status).toBe(200);
    expect(await rolesIn(actors, id)).toEqual({ [member.id]: 'maintainer', [pending.id]: 'pending' });
  });

  it('is replaced by an administrator when the user was taken out of everything', async () => {
    const id = await peopledGroup(actors, 'hidden');
    await server.cradle.groupStore.removeUserEverywhere(maintainer.id);
    const path = `/v2/groups/${id}/members/${member.id}`;
    expect((await admin.request('PATCH', path, { role: 'pending' })).status).toBe(200);
    expect((await admin.request('PATCH', path, { role: 'maintainer' })).status).toBe(200);
    expect((await member.request('PATCH', `/v2/groups/${id}`, { name: 'ours' })).status).toBe(200);
  });
});

describe('joining', () => {
  const join = (who: Person, id: string) => who.request('POST', `/v2/groups/${id}/join`);

  it('makes a member of a public group', async () => {
    const id = await createGroup(maintainer, { visibility: 'public' });
    const { status, body } = await join(outsider, id);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { user_id: outsider.id, email: outsider.email, role: 'member' },
    });
    expect((await outsider.request('GET', `/v2/groups/${id}`)).body).toMatchObject({ role: 'member', size: 2 });
  });

  it('asks for approval in a protected group, which gives nothing yet', async () => {
    const id = await createGroup(maintainer, { visibility: 'protected' });
    expect((await join(outsider, id)).body).toMatchObject({ role: 'pending' });
    expect((await outsider.request('GET', `/v2/groups/${id}`)).body).toMatchObject({ role: 'pending', size: 1 });
    expect((await outsider.request('GET', `/v2/groups/${id}/members`)).status).toBe(403);
    await maintainer.request('PATCH', `/v2/groups/${id}/members/${outsider.id}`, { role: 'member' });
    expect((await outsider.request('GET', `/v2/groups/${id}/members`)).status).toBe(200);
  });

  it('is refused by a private group, also to administrators by a hidden one', async () => {
    const refused = { status: 403, body: { code: 'group_by_invitation' } };
    const closed = await createGroup(maintainer, { visibility: 'private' });
    expect(await join(outsider, closed)).toMatchObject(refused);
    const hidden = await createGroup(maintainer, { visibility: 'hidden' });
    expect(await join(admin, hidden)).toMatchObject(refused);
    expect(await rolesIn(actors, closed)).toEqual({ [maintainer.id]: 'maintainer' });
  });

  it('changes nothing for who is in the group', async () => {
    for (const visibility of ['public', 'protected', 'private', 'hidden'] as const) {
      const id = await peopledGroup(actors, visibility);
      const before = (await maintainer.request('GET', `/v2/groups/${id}/members`)).body.members;
      const members = visibility === 'public' || visibility === 'hidden' ? [maintainer, member] : [maintainer, member, pending];
      for (const who of members) {
        const known = before.find(({ user_id }: { user_id: string }) => user_id === who.id);
        expect(await join(who, id), visibility).toMatchObject({ status: 200, body: known });
      }
      expect((await maintainer.request('GET', `/v2/groups/${id}/members`)).body.members).toEqual(before);
    }
  });

  it('needs no approval any more when the group became public', async () => {
    const id = await peopledGroup(actors, 'protected');
    await maintainer.request('PATCH', `/v2/groups/${id}`, { visibility: 'public' });
    expect((await join(pending, id)).body).toMatchObject({ user_id: pending.id, role: 'member' });
  });
});

describe('limited callers', () => {
  it('with a key for one project have nothing to do with groups', async () => {
    const id = await peopledGroup(actors, 'public');
    const project_id = randomUUID();
    const limited = await withKey(server, maintainer, { project_id });
    const admin = await person(server, { role: 'admin', key: { project_id } });
    const path = `/v2/groups/${id}`;
    const calls: [string, string, unknown?][] = [
      ['GET', '/v2/groups'],
      ['POST', '/v2/groups', { name: 'x' }],
      ['POST', '/v2/groups/query'],
      ['GET', path],
      ['PATCH', path, { name: 'x' }],
      ['DELETE', path],
      ['GET', `${path}/members`],
      ['POST', `${path}/members`, [{ user_id: outsider.id }]],
      ['PATCH', `${path}/members/${member.id}`, { role: 'pending' }],
      ['DELETE', `${path}/members/${maintainer.id}`],
      ['POST', `${path}/join`],
      ['GET', `/v2/groups/${randomUUID()}`],
    ];
    for (const { request } of [limited, admin]) {
      for (const [method, to, body] of calls) expect((await request(method, to, body)).status, `${method} ${to}`).toBe(403);
    }
  });

  it('of role read_only read, join and leave, and maintain nothing', async () => {
    const id = await createGroup(maintainer, { visibility: 'public' });
    const reader = await person(server, { role: 'read_only' });
    const path = `/v2/groups/${id}`;
    expect((await reader.request('GET', `${path}/members`)).status).toBe(200);
    expect((await reader.request('POST', `${path}/join`)).body).toMatchObject({ role: 'member' });
    await maintainer.request('PATCH', `${path}/members/${reader.id}`, { role: 'maintainer' });
    expect((await reader.request('POST', '/v2/groups', { name: 'own' })).status).toBe(403);
    expect((await reader.request('PATCH', path, { name: 'x' })).status).toBe(403);
    expect((await reader.request('DELETE', `${path}/members/${maintainer.id}`)).status).toBe(403);
    expect((await reader.request('GET', `${path}?actions=update`)).body.permissions).toMatchObject([{ allowed: false }]);
    expect((await reader.request('DELETE', `${path}/members/${reader.id}`)).status).toBe(200);
  });

  it.each(['viewer', 'annotator', 'editor'] as const)('with a key of role %s read only', async (max_role) => {
    const id = await peopledGroup(actors, 'public');
    const path = `/v2/groups/${id}`;
    const { request } = await withKey(server, maintainer, { max_role });
    const stranger = await withKey(server, outsider, { max_role });
    const leaving = await withKey(server, member, { max_role });
    expect((await request('GET', `${path}/members`)).status).toBe(200);
    expect((await request('GET', '/v2/groups')).body.groups).toMatchObject([{ id }]);
    const replies = await Promise.all([
      request('POST', '/v2/groups', { name: 'x' }),
      request('PATCH', path, { name: 'x' }),
      request('POST', `${path}/join`),
      request('PATCH', `${path}/members/${member.id}`, { role: 'pending' }),
      request('DELETE', `${path}/members/${member.id}`),
      request('DELETE', path),
      stranger.request('POST', `${path}/join`),
      leaving.request('DELETE', `${path}/members/${member.id}`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403));
  });

  it('with a key of role owner are not limited', async () => {
    const { request } = await withKey(server, maintainer, { max_role: 'owner' });
    expect((await request('POST', '/v2/groups', { name: 'x' })).status).toBe(200);
  });

  it('without credentials are refused', async () => {
    const headers = { 'service-api-key': '' };
    expect((await server.request('GET', '/v2/groups', undefined, { headers })).status).toBe(401);
  });
});

describe('the audit log', () => {
  it('has every change of members, and nothing that was refused or changed nothing', async () => {
    const id = await createGroup(maintainer, { visibility: 'public' });
    const members = `/v2/groups/${id}/members`;
    await maintainer.request('POST', members, [{ user_id: member.id }]);
    await maintainer.request('POST', members, [{ user_id: member.id }]);
    await maintainer.request('PATCH', `${members}/${member.id}`, { role: 'maintainer' });
    await outsider.request('PATCH', `${members}/${member.id}`, { role: 'pending' });
    await outsider.request('POST', `/v2/groups/${id}/join`);
    await outsider.request('POST', `/v2/groups/${id}/join`);
    await outsider.request('DELETE', `${members}/${outsider.id}`);
    const note = (verb: string, actor: Person, user: Person, role_before: string | null, role_after: string | null) => ({
      action: `group_member.${verb}`,
      actor_id: actor.id,
      details: { user_id: user.id, role_before, role_after },
    });
    expect((await audited(actors, id)).slice(1)).toEqual([
      note('add', maintainer, member, null, 'member'),
      note('update', maintainer, member, 'member', 'maintainer'),
      note('join', outsider, outsider, null, 'member'),
      note('remove', outsider, outsider, 'member', null),
    ]);
  });
});
