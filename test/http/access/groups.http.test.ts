import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Visibility } from '../../../core/access/groups/group.ts';
import type { TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';
import { type Actors, audited, createGroup, peopledGroup, rolesIn, shareDataset, startActors } from './group-actors.ts';

const VISIBILITIES: readonly Visibility[] = ['public', 'protected', 'private', 'hidden'];
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

const names = (groups: { name: string }[]) => groups.map(({ name }) => name);
const listed = async (by: Person) => (await by.request('GET', '/v2/groups?limit=1000')).body.groups;

describe('creating groups', () => {
  it('makes the creator its maintainer', async () => {
    const reply = await maintainer.request('POST', '/v2/groups', {
      name: 'Readers',
      description: 'who read',
      visibility: 'public',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Readers',
      description: 'who read',
      visibility: 'public',
      size: 1,
      role: 'maintainer',
      permissions: [],
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await maintainer.request('GET', `/v2/groups/${reply.body.id}`)).body).toEqual(reply.body);
    expect(await rolesIn(actors, reply.body.id)).toEqual({ [maintainer.id]: 'maintainer' });
  });

  it('is private with an empty description when only a name is given', async () => {
    const { body } = await maintainer.request('POST', '/v2/groups', { name: 'x', description: null, visibility: null });
    expect(body).toMatchObject({ visibility: 'private', description: '' });
  });

  it('refuses a name that another group has', async () => {
    await createGroup(maintainer, { name: 'Readers' });
    const reply = await outsider.request('POST', '/v2/groups', { name: 'Readers' });
    expect(reply).toMatchObject({ status: 409, body: { code: 'group_exists' } });
  });

  it.each(['', '   ', 'x'.repeat(129), 'a\0b'])('refuses the name %j', async (name) => {
    const reply = await maintainer.request('POST', '/v2/groups', { name });
    expect(reply.status).toBe(422);
    expect(reply.body.detail[0]).toMatchObject({ loc: ['body', 'name'] });
  });
});

describe('what each sees of a group', () => {
  const SEEN_BY_ALL = {
    outsider: null,
    pending: 'pending',
    member: 'member',
    maintainer: 'maintainer',
    admin: null,
    manager: null,
  };
  const LISTING_MEMBERS: Record<Visibility, readonly string[]> = {
    public: ['outsider', 'pending', 'member', 'maintainer', 'admin', 'manager'],
    protected: ['member', 'maintainer', 'admin', 'manager'],
    private: ['member', 'maintainer', 'admin', 'manager'],
    hidden: ['member', 'maintainer', 'admin', 'manager'],
  };
  const BLIND = ['outsider', 'pending'];

  it.each(VISIBILITIES)('gives a %s group and its members to those they are for', async (visibility) => {
    const id = await peopledGroup(actors, visibility);
    const manager = await person(server, { role: 'manager' });
    const people = { outsider, pending, member, maintainer, admin: admin, manager };
    for (const [who, role] of Object.entries(SEEN_BY_ALL)) {
      const { request } = people[who as keyof typeof people];
      const sees = visibility !== 'hidden' || !BLIND.includes(who);
      const got = await request('GET', `/v2/groups/${id}`);
      expect(got, who).toMatchObject(sees ? { status: 200, body: { id, role, size: 2 } } : { status: 404 });
      expect((await listed({ ...outsider, request })).length, who).toBe(sees ? 1 : 0);
      const members = await request('GET', `/v2/groups/${id}/members`);
      expect(members.status, who).toBe(sees ? (LISTING_MEMBERS[visibility].includes(who) ? 200 : 403) : 404);
    }
  });

  it('responds to a hidden group as to an unknown one', async () => {
    const id = await peopledGroup(actors, 'hidden');
    const unknown = randomUUID();
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['GET', '/members'],
      ['POST', '/members', [{ user_id: outsider.id }]],
      ['PATCH', `/members/${member.id}`, { role: 'pending' }],
      ['DELETE', `/members/${member.id}`],
      ['DELETE', `/members/${pending.id}`],
      ['POST', '/join'],
    ];
    for (const who of [outsider, pending]) {
      for (const [method, path, body] of calls) {
        const hidden = await who.request(method, `/v2/groups/${id}${path}`, body);
        const missing = await who.request(method, `/v2/groups/${unknown}${path}`, body);
        expect(hidden, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'group_not_found' } });
        expect(hidden.body.detail.replace(id, unknown)).toBe(missing.body.detail);
      }
    }
    expect(await rolesIn(actors, id)).toMatchObject({ [member.id]: 'member', [pending.id]: 'pending' });
  });
});

describe('listing groups', () => {
  beforeEach(async () => {
    await createGroup(maintainer, { name: 'beta', visibility: 'public' });
    await createGroup(maintainer, { name: 'alpha', visibility: 'private' });
    await createGroup(maintainer, { name: 'gamma', visibility: 'hidden' });
  });

  it('orders by name and leaves hidden ones out', async () => {
    expect(names(await listed(maintainer))).toEqual(['alpha', 'beta', 'gamma']);
    expect(names(await listed(outsider))).toEqual(['alpha', 'beta']);
    expect(names((await outsider.request('POST', '/v2/groups/query')).body.groups)).toEqual(['alpha', 'beta']);
  });

  it('pages through what the caller sees', async () => {
    const first = (await outsider.request('GET', '/v2/groups?limit=1')).body;
    expect(first).toMatchObject({
      starting_token: 0,
      limit: 1,
      paginated: true,
      next_starting_token: 1,
      groups: [{ name: 'alpha' }],
    });
    const last = (await outsider.request('POST', '/v2/groups/query?limit=1&starting_token=1', {})).body;
    expect(last).toMatchObject({ paginated: false, next_starting_token: null, groups: [{ name: 'beta' }] });
  });

  it('filters and sorts', async () => {
    const search = async (body: unknown) => names((await maintainer.request('POST', '/v2/groups/query', body)).body.groups);
    const sort = { name: 'created_at', ascending: false, sort_type: 'column' };
    expect(await search({ sort })).toHaveLength(3);
    expect(await search({ sort: { name: 'name', ascending: false } })).toEqual(['gamma', 'beta', 'alpha']);
    expect(await search({ filters: [{ name: 'visibility', operator: 'one_of', value: ['hidden', 'public'] }] })).toEqual([
      'beta',
      'gamma',
    ]);
    expect(await search({ filters: [{ name: 'name', operator: 'contains', value: 'ALPH', case_sensitive: false }] })).toEqual([
      'alpha',
    ]);
  });

  it('sorts by size', async () => {
    const large = await createGroup(maintainer, { name: 'large' });
    await maintainer.request('POST', `/v2/groups/${large}/members`, [{ user_id: member.id }]);
    const { body } = await maintainer.request('POST', '/v2/groups/query?limit=1', { sort: { name: 'size', ascending: false } });
    expect(body.groups).toMatchObject([{ name: 'large', size: 2 }]);
  });

  it('refuses filters and sorts that do not exist', async () => {
    const filters = [{ name: 'visibility', operator: 'eq', value: 'secret' }];
    expect((await maintainer.request('POST', '/v2/groups/query', { filters })).status).toBe(422);
    expect((await maintainer.request('POST', '/v2/groups/query', { sort: { name: 'role' } })).status).toBe(422);
  });
});

describe('permissions', () => {
  const ALL = '?actions=update&actions=list_members&actions=join&actions=request_to_join';
  const allowed = (permissions: { action: string; allowed: boolean }[]) =>
    permissions.filter((one) => one.allowed).map(({ action }) => action);

  it.each<[Visibility, Record<string, string[]>]>([
    ['public', { outsider: ['list_members', 'join'], pending: ['list_members', 'join'], member: ['list_members'] }],
    ['protected', { outsider: ['request_to_join'], pending: [], member: ['list_members'] }],
    ['private', { outsider: [], pending: [], member: ['list_members'] }],
    ['hidden', { member: ['list_members'] }],
  ])('say what may be done with a %s group', async (visibility, expected) => {
    const id = await peopledGroup(actors, visibility);
    const people: Record<string, Person> = { outsider, pending, member };
    for (const [who, actions] of Object.entries(expected)) {
      const { body } = await people[who]!.request('GET', `/v2/groups/${id}${ALL}`);
      expect(body.permissions, who).toHaveLength(4);
      expect(allowed(body.permissions), who).toEqual(actions);
    }
    const mine = await maintainer.request('GET', `/v2/groups/${id}${ALL}`);
    expect(allowed(mine.body.permissions)).toEqual(['update', 'list_members']);
  });

  it('come with lists, with the reason why not', async () => {
    await peopledGroup(actors, 'private');
    const [group] = (await outsider.request('GET', '/v2/groups?actions=update')).body.groups;
    expect(group.permissions).toEqual([{ action: 'update', allowed: false, message: expect.stringContaining('maintainers') }]);
    const found = await outsider.request('POST', '/v2/groups/query?actions=join&actions=join', {});
    expect(found.body.groups[0].permissions).toMatchObject([{ action: 'join', allowed: false }]);
    expect((await outsider.request('GET', '/v2/groups?actions=fly')).status).toBe(422);
  });

  it('say for each member what may be done with it', async () => {
    const id = await peopledGroup(actors, 'protected');
    const path = `/v2/groups/${id}/members?actions=update_role&actions=delete`;
    const byUser = async (who: Person) =>
      Object.fromEntries(
        (await who.request('GET', path)).body.members.map((one: { user_id: string; permissions: never[] }) => [
          one.user_id,
          allowed(one.permissions),
        ]),
      );
    expect(await byUser(member)).toEqual({ [maintainer.id]: [], [member.id]: ['delete'], [pending.id]: [] });
    const every = ['update_role', 'delete'];
    expect(await byUser(maintainer)).toEqual({ [maintainer.id]: every, [member.id]: every, [pending.id]: every });
  });
});

describe('changing a group', () => {
  it('changes what is given and leaves the rest', async () => {
    const id = await createGroup(maintainer, { name: 'before', visibility: 'public' });
    const path = `/v2/groups/${id}`;
    expect((await maintainer.request('PATCH', path, { name: 'after', description: null })).body).toMatchObject({
      id,
      name: 'after',
      description: '',
      visibility: 'public',
      role: 'maintainer',
      size: 1,
    });
    await maintainer.request('PATCH', path, { description: 'long', visibility: 'hidden' });
    expect((await maintainer.request('GET', path)).body).toMatchObject({
      name: 'after',
      description: 'long',
      visibility: 'hidden',
    });
    expect((await maintainer.request('PATCH', path, { description: '' })).body.description).toBe('');
    expect((await outsider.request('GET', path)).status).toBe(404);
  });

  it('refuses the name of another group, not its own', async () => {
    const id = await createGroup(maintainer, { name: 'one' });
    await createGroup(maintainer, { name: 'two' });
    const taken = await maintainer.request('PATCH', `/v2/groups/${id}`, { name: 'two' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'group_exists' } });
    expect((await maintainer.request('PATCH', `/v2/groups/${id}`, { name: 'one' })).status).toBe(200);
  });

  it('is for maintainers, managers and administrators', async () => {
    const id = await peopledGroup(actors, 'private');
    const manager = await person(server, { role: 'manager' });
    const patch = (who: Person) => who.request('PATCH', `/v2/groups/${id}`, { description: 'new' });
    for (const who of [outsider, pending, member]) {
      expect(await patch(who)).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
      expect((await who.request('DELETE', `/v2/groups/${id}`)).status).toBe(403);
    }
    for (const who of [manager, admin]) expect((await patch(who)).body).toMatchObject({ description: 'new', role: null });
    expect((await manager.request('DELETE', `/v2/groups/${id}`)).status).toBe(200);
  });

  it('is decided after the body was read', async () => {
    const id = await createGroup(maintainer);
    expect((await outsider.request('PATCH', `/v2/groups/${id}`, { name: '' })).status).toBe(422);
  });
});

describe('deleting a group', () => {
  it('takes it off what was shared with it', async () => {
    const id = await peopledGroup(actors, 'public');
    const getRole = await shareDataset(actors, id, 'editor');
    expect(await getRole(member)).toBe('editor');
    expect((await maintainer.request('DELETE', `/v2/groups/${id}`)).body).toEqual({ message: expect.stringContaining(id) });
    expect(await getRole(member)).toBeUndefined();
    expect((await maintainer.request('GET', `/v2/groups/${id}`)).status).toBe(404);
    expect((await maintainer.request('DELETE', `/v2/groups/${id}`)).status).toBe(404);
    expect(await server.cradle.collaboratorStore.rolesByObject('dataset', { user_id: member.id, group_ids: [id] })).toEqual(
      new Map(),
    );
  });
});

describe('the audit log', () => {
  it('has every change of a group', async () => {
    const id = await createGroup(maintainer, { name: 'before', visibility: 'public' });
    await maintainer.request('PATCH', `/v2/groups/${id}`, { name: 'after', description: 'private matters' });
    await maintainer.request('PATCH', `/v2/groups/${id}`, { name: 'after', description: 'private matters' });
    await admin.request('PATCH', `/v2/groups/${id}`, { visibility: 'hidden' });
    await maintainer.request('DELETE', `/v2/groups/${id}`);
    expect(await audited(actors, id)).toEqual([
      { action: 'group.create', actor_id: maintainer.id, details: { name: 'before', visibility: 'public' } },
      {
        action: 'group.update',
        actor_id: maintainer.id,
        details: { name_before: 'before', name_after: 'after', description_changed: true },
      },
      { action: 'group.update', actor_id: admin.id, details: { visibility_before: 'public', visibility_after: 'hidden' } },
      { action: 'group.delete', actor_id: maintainer.id, details: { name: 'after' } },
    ]);
  });
});
