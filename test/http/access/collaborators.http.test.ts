import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person, withKey } from '../people.ts';

let server: TestServer;
let ada: Person;
let bob: Person;
let at: string;
beforeEach(async () => {
  server = await startTestServer();
  ada = await person(server, { email: 'ada@example.org' });
  bob = await person(server, { email: 'bob@example.org' });
  const project = await ada.request('POST', '/v2/projects', { name: 'Atlas', type: 'gen_ai' });
  at = `/v2/projects/${project.body.id}`;
});
afterEach(() => server.close());

const share = (role: string, who = bob) => ada.request('POST', `${at}/users`, [{ user_id: who.id, role }]);

async function toGroup(...members: Person[]): Promise<string> {
  const id = randomUUID();
  const now = new Date().toISOString();
  const { groupStore } = server.cradle;
  const facts = { name: id, description: '', visibility: 'private' as const, created_by: ada.id };
  await groupStore.insert({ id, ...facts, created_at: now, updated_at: now });
  await groupStore.putMembers(
    members.map((member) => ({ id: randomUUID(), group_id: id, user_id: member.id, role: 'member' as const, created_at: now })),
  );
  return id;
}

describe('users a project is shared with', () => {
  it('begin with its creator as owner', async () => {
    const { status, body } = await ada.request('GET', `${at}/users`);
    expect(status).toBe(200);
    expect(body).toEqual({
      starting_token: 0,
      limit: 100,
      paginated: false,
      next_starting_token: null,
      collaborators: [
        {
          id: expect.any(String),
          role: 'owner',
          created_at: expect.stringMatching(/Z$/),
          user_id: ada.id,
          first_name: '',
          last_name: '',
          email: 'ada@example.org',
          permissions: [],
        },
      ],
    });
  });

  it('are added by id or by e-mail, viewers by default, in the order given', async () => {
    const eve = await person(server, { email: 'eve@example.org' });
    const added = await ada.request('POST', `${at}/users`, [
      { user_email: 'EVE@example.org', role: null },
      { user_id: bob.id, role: 'annotator', user_email: null },
    ]);
    expect(added.status).toBe(200);
    expect(added.body).toMatchObject([
      { user_id: eve.id, role: 'viewer', email: 'eve@example.org' },
      { user_id: bob.id, role: 'annotator' },
    ]);
    expect((await bob.request('GET', at)).status).toBe(200);
  });

  it('keep their entry when they are added again with another role', async () => {
    const first = (await share('viewer')).body[0];
    const second = (await share('editor')).body[0];
    expect(second).toEqual({ ...first, role: 'editor' });
    expect((await ada.request('GET', `${at}/users`)).body.collaborators).toHaveLength(2);
  });

  it('are listed page by page, oldest first', async () => {
    await share('viewer');
    const first = await ada.request('GET', `${at}/users?limit=1`);
    expect(first.body).toMatchObject({ paginated: true, next_starting_token: 1, collaborators: [{ user_id: ada.id }] });
    const last = await ada.request('GET', `${at}/users?limit=1&starting_token=1`);
    expect(last.body).toMatchObject({ paginated: false, next_starting_token: null, collaborators: [{ user_id: bob.id }] });
  });

  it('are refused when unknown, named twice or named in two ways, and then nobody is added', async () => {
    const [unknown, email] = [randomUUID(), 'nobody@example.org'];
    const wrong: [unknown, (string | number)[]][] = [
      [
        [{ user_id: bob.id }, { user_id: unknown }],
        ['body', 1, 'user_id'],
      ],
      [
        [{ user_id: bob.id }, { user_email: email }],
        ['body', 1, 'user_email'],
      ],
      [
        [{ user_id: bob.id }, { user_id: bob.id }],
        ['body', 1],
      ],
      [[{ user_id: bob.id, user_email: bob.email }], ['body', 0, 'user_email']],
      [[{ role: 'viewer' }], ['body', 0, 'user_id']],
      [[{ user_id: bob.id, role: 'king' }], ['body', 0, 'role']],
      [[], ['body']],
      [{}, ['body']],
    ];
    for (const [body, loc] of wrong) {
      expect(await ada.request('POST', `${at}/users`, body)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
    }
    expect((await ada.request('GET', `${at}/users`)).body.collaborators).toHaveLength(1);
  });

  it('change their role; an empty update answers the entry as it is', async () => {
    await share('viewer');
    const path = `${at}/users/${bob.id}`;
    expect((await ada.request('PATCH', path, { role: 'editor' })).body).toMatchObject({ user_id: bob.id, role: 'editor' });
    expect((await ada.request('PATCH', path, {})).body).toMatchObject({ user_id: bob.id, role: 'editor' });
    expect((await ada.request('PATCH', path, { role: null })).body).toMatchObject({ role: 'editor' });
    expect(await ada.request('PATCH', `${at}/users/${randomUUID()}`, { role: 'editor' })).toMatchObject({
      status: 404,
      body: { code: 'collaborator_not_found' },
    });
  });

  it('lose everything at once when they are removed', async () => {
    await share('editor');
    expect((await bob.request('GET', at)).status).toBe(200);
    expect((await ada.request('DELETE', `${at}/users/${bob.id}`)).status).toBe(200);
    expect((await bob.request('GET', at)).status).toBe(404);
    expect((await ada.request('DELETE', `${at}/users/${bob.id}`)).status).toBe(404);
  });

  it('may leave by themselves, though not by a limited key', async () => {
    await share('viewer');
    const limited = await withKey(server, bob, { max_role: 'viewer' });
    expect((await limited.request('DELETE', `${at}/users/${bob.id}`)).status).toBe(403);
    expect((await bob.request('DELETE', `${at}/users/${ada.id}`)).status).toBe(403);
    expect((await bob.request('DELETE', `${at}/users/${bob.id}`)).status).toBe(200);
    expect((await bob.request('GET', at)).status).toBe(404);
  });
});

describe('the last owner', () => {
  const refused = { status: 422, body: { detail: [{ type: 'last_owner' }] } };

  it('can neither be demoted nor removed', async () => {
    expect(await ada.request('PATCH', `${at}/users/${ada.id}`, { role: 'editor' })).toMatchObject(refused);
    expect(await ada.request('DELETE', `${at}/users/${ada.id}`)).toMatchObject(refused);
    expect(await ada.request('POST', `${at}/users`, [{ user_id: ada.id, role: 'viewer' }])).toMatchObject(refused);
    expect((await ada.request('PATCH', `${at}/users/${ada.id}`, { role: 'owner' })).status).toBe(200);
  });

  it('may go when another one comes with the same request, or was there', async () => {
    const both = [
      { user_id: ada.id, role: 'viewer' },
      { user_id: bob.id, role: 'owner' },
    ];
    expect((await ada.request('POST', `${at}/users`, both)).status).toBe(200);
    expect((await ada.request('DELETE', `${at}/users/${bob.id}`)).status).toBe(403);
    expect(await bob.request('DELETE', `${at}/users/${bob.id}`)).toMatchObject(refused);
  });

  it('is not replaced by a group, which may become empty', async () => {
    const group_id = await toGroup(bob);
    expect((await ada.request('POST', `${at}/groups`, [{ group_id, role: 'owner' }])).status).toBe(200);
    expect(await ada.request('DELETE', `${at}/users/${ada.id}`)).toMatchObject(refused);
  });
});

describe('groups a project is shared with', () => {
  it('give their members the role, until they are removed', async () => {
    const group_id = await toGroup(bob);
    const added = await ada.request('POST', `${at}/groups`, [{ group_id, role: 'editor' }]);
    expect(added.body).toEqual([
      {
        id: expect.any(String),
        role: 'editor',
        created_at: expect.stringMatching(/Z$/),
        group_id,
        group_name: group_id,
        permissions: [],
      },
    ]);
    expect((await bob.request('PUT', at, { description: 'by bob' })).status).toBe(200);
    expect((await bob.request('GET', `${at}/groups`)).body.collaborators).toMatchObject([{ group_id, role: 'editor' }]);
    expect((await ada.request('PATCH', `${at}/groups/${group_id}`, { role: 'viewer' })).body.role).toBe('viewer');
    expect((await bob.request('PUT', at, { description: 'by bob' })).status).toBe(403);
    expect((await ada.request('DELETE', `${at}/groups/${group_id}`)).status).toBe(200);
    expect((await bob.request('GET', at)).status).toBe(404);
  });

  it('count with the highest role that a user has', async () => {
    const group_id = await toGroup(bob);
    await share('viewer');
    await ada.request('POST', `${at}/groups`, [{ group_id, role: 'owner' }]);
    expect((await bob.request('POST', `${at}/users`, [{ user_id: bob.id, role: 'annotator' }])).status).toBe(200);
  });

  it('are refused when unknown or hidden from who shares', async () => {
    const hidden = randomUUID();
    const now = new Date().toISOString();
    const facts = { name: 'secret', description: '', visibility: 'hidden' as const, created_by: bob.id };
    await server.cradle.groupStore.insert({ id: hidden, ...facts, created_at: now, updated_at: now });
    const replies = await Promise.all(
      [hidden, randomUUID()].map((group_id) => ada.request('POST', `${at}/groups`, [{ group_id }])),
    );
    for (const reply of replies)
      expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 0, 'group_id'] }] } });
  });
});

describe('a hidden group', () => {
  it('is shown by name to owners and to its members, and to other collaborators without it', async () => {
    const eve = await person(server);
    const group_id = await toGroup(eve);
    await ada.request('POST', `${at}/groups`, [{ group_id, role: 'viewer' }]);
    const updated_at = new Date().toISOString();
    await server.cradle.groupStore.update(group_id, { visibility: 'hidden', updated_at });
    await share('viewer');
    const nameFor = async (who: Person) => (await who.request('GET', `${at}/groups`)).body.collaborators[0].group_name;
    expect([await nameFor(ada), await nameFor(eve), await nameFor(bob)]).toEqual([group_id, group_id, '']);
  });
});

describe('what a role allows', () => {
  it('is shown for the actions that are asked for', async () => {
    await share('annotator');
    const { body } = await bob.request(
      'POST',
      '/v2/projects/paginated?actions=update&actions=record_human_feedback&actions=share',
    );
    expect(body.projects[0].permissions).toEqual([
      { action: 'update', allowed: false, message: expect.stringContaining('editor') },
      { action: 'record_human_feedback', allowed: true, message: null },
      { action: 'share', allowed: false, message: expect.stringContaining('owner') },
    ]);
  });

  it('decides over writing, reading and sharing', async () => {
    const tries = async () => ({
      read: (await bob.request('GET', at)).status,
      write: (await bob.request('PUT', at, { description: 'x' })).status,
      share: (await bob.request('POST', `${at}/users`, [{ user_id: bob.id, role: 'owner' }])).status,
    });
    expect(await tries()).toEqual({ read: 404, write: 404, share: 404 });
    await share('viewer');
    expect(await tries()).toEqual({ read: 200, write: 403, share: 403 });
    await share('editor');
    expect(await tries()).toEqual({ read: 200, write: 200, share: 403 });
    await share('owner');
    expect(await tries()).toEqual({ read: 200, write: 200, share: 200 });
  });

  it('is described by the roles in order', async () => {
    const { body } = await bob.request('GET', '/v2/collaborator_roles');
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['owner', 'editor', 'annotator', 'viewer']);
    expect(body[0]).toEqual({ name: 'owner', display_name: expect.any(String), description: expect.any(String) });
  });
});

describe('projects of others', () => {
  it('are in no list and no count', async () => {
    await bob.request('POST', '/v2/projects', { name: 'of Bob', type: 'gen_ai' });
    const names = async (who: Person) =>
      (await who.request('GET', '/v2/projects')).body.map(({ name }: { name: string }) => name);
    expect(await names(ada)).toEqual(['Atlas']);
    expect(await names(bob)).toEqual(['of Bob']);
    expect((await bob.request('GET', '/v2/projects/all')).body).toHaveLength(1);
    expect((await bob.request('POST', '/v2/projects/count')).body).toBe(1);
    expect((await bob.request('POST', '/v2/projects/paginated')).body.projects).toHaveLength(1);
    expect((await server.request('POST', '/v2/projects/count')).body).toBe(2);
  });

  it('keep their name: it cannot be taken, nor reached by it', async () => {
    const taken = await bob.request('POST', '/v2/projects', { name: 'Atlas', type: 'gen_ai' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'project_exists' } });
    expect((await bob.request('GET', '/v2/projects?project_name=Atlas&type=gen_ai')).body).toEqual([]);
  });

  it('are created for somebody else by administrators only', async () => {
    const named = { name: 'given', created_by: bob.id };
    expect((await ada.request('POST', '/v2/projects', named)).status).toBe(403);
    const { body } = await server.request('POST', '/v2/projects', named);
    expect((await bob.request('GET', `/v2/projects/${body.id}`)).body.created_by).toBe(bob.id);
  });
});

describe('a key made for one project', () => {
  it('sees this project alone, and nothing of the organisation', async () => {
    await ada.request('POST', '/v2/projects', { name: 'Second', type: 'gen_ai' });
    const project_id = at.split('/').at(-1)!;
    const limited = await withKey(server, ada, { project_id });
    expect((await limited.request('GET', '/v2/projects')).body).toMatchObject([{ id: project_id }]);
    expect((await limited.request('PUT', at, { description: 'by key' })).status).toBe(200);
    expect((await limited.request('POST', '/v2/projects', { name: 'Third' })).status).toBe(403);
    expect((await limited.request('POST', `${at}/users`, [{ user_email: bob.email }])).status).toBe(403);
    expect((await limited.request('DELETE', at)).status).toBe(403);
    expect((await limited.request('GET', '/metrics')).status).toBe(403);
    const second = (await ada.request('GET', '/v2/projects?project_name=Second')).body[0].id;
    expect((await limited.request('GET', `/v2/projects/${second}`)).status).toBe(404);
  });

  it('keeps its limits in the token it is exchanged for', async () => {
    const limited = await withKey(server, ada, { max_role: 'viewer' });
    const login = await server.request(
      'POST',
      '/v2/login/api_key',
      { api_key: limited.api_key },
      { headers: { 'service-api-key': '' } },
    );
    const authorization = `Bearer ${login.body.access_token}`;
    const bearer = { headers: { authorization, 'service-api-key': limited.api_key } };
    expect((await server.request('GET', at, undefined, bearer)).status).toBe(200);
    expect((await server.request('PUT', at, { description: 'x' }, bearer)).status).toBe(403);
  });
});
