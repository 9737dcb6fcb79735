import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { noneFound, scimClient, USER } from './scim-client.ts';

// The requests that Microsoft Entra ID sends, in the order and the forms of its documentation for the developers of SCIM
// endpoints: names of operations in title case, truth values as texts, values by filter paths.

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());
const entra = scimClient(() => server);

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const newUser = (name: string) => ({
  schemas: [USER, ENTERPRISE],
  externalId: `ext-${name}`,
  userName: `${name}@example.org`,
  active: true,
  displayName: 'Given Family',
  emails: [{ primary: true, type: 'work', value: `${name}.mail@example.org` }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
  roles: [],
  [ENTERPRISE]: { department: 'R&D', manager: { value: 'x' } },
});

describe('users from Entra ID', () => {
  it('are looked for, made, read, changed, disabled and deleted', async () => {
    expect(await entra.find('Users', 'userName eq "gf@example.org"')).toMatchObject(noneFound);
    const made = await entra.send('POST', '/Users', newUser('gf'));
    const { id } = made.body;
    const location = `${server.url}/scim/v2/Users/${id}`;
    expect(made.headers.get('location')).toBe(location);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({
      schemas: [USER],
      id,
      externalId: 'ext-gf',
      userName: 'gf@example.org',
      displayName: 'Given Family',
      name: { formatted: 'Given Family', familyName: 'Family', givenName: 'Given' },
      active: true,
      emails: [{ value: 'gf.mail@example.org', type: 'work', primary: true }],
      roles: [{ value: 'user', primary: true }],
      meta: { resourceType: 'User', created: expect.stringMatching(/Z$/), lastModified: expect.stringMatching(/Z$/), location },
    });
    expect((await entra.get(`/Users/${id}`)).body).toEqual(made.body);
    for (const filter of [
      'userName eq "GF@example.org"',
      'externalId eq "ext-gf"',
      'emails[type eq "work"].value eq "gf.mail@example.org"',
    ])
      expect((await entra.find('Users', filter)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });

    const changed = await entra.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'new@example.org' },
      { op: 'Replace', path: 'name.familyName', value: 'Changed' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'NL' },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        emails: [{ value: 'new@example.org' }],
        name: { familyName: 'Changed', givenName: 'Given' },
        displayName: 'Given Family',
      },
    });
    const renamed = await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'userName', value: 'other@example.org' });
    expect(renamed.body).toMatchObject({ userName: 'other@example.org', emails: [{ value: 'new@example.org' }] });
    const disabled = await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(disabled).toMatchObject({ status: 200, body: { active: false } });
    expect((await server.cradle.accessStore.findUser(id))?.is_disabled).toBe(true);
    const enabled = await entra.patch(`/Users/${id}`, { op: 'Replace', value: { active: true, 'name.givenName': 'Ada' } });
    expect(enabled.body).toMatchObject({ active: true, name: { givenName: 'Ada', familyName: 'Changed' } });

    expect(await entra.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await entra.get(`/Users/${id}`)).toMatchObject({
      status: 404,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404', detail: expect.any(String) },
    });
    expect(await entra.find('Users', 'externalId eq "ext-gf"')).toMatchObject(noneFound);
    // Nothing is left of the names: the same person may come again.
    expect(await entra.send('POST', '/Users', newUser('gf'))).toMatchObject({ status: 201 });
  });

  it('get roles by assignments to the app', async () => {
    const id = await entra.create('Users', newUser('roles'));
    const role = async () => (await server.cradle.accessStore.findUser(id))?.role;
    await entra.patch(`/Users/${id}`, { op: 'Add', path: 'roles[primary eq "True"].value', value: 'manager' });
    expect(await role()).toBe('manager');
    await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'displayName', value: 'no word of roles' });
    expect(await role()).toBe('manager');
    await entra.patch(`/Users/${id}`, {
      op: 'Add',
      path: 'roles',
      value: [{ primary: true, type: 'WindowsAzureActiveDirectoryRole', value: 'read_only', display: 'Readers' }],
    });
    expect(await role()).toBe('read_only');
    await entra.patch(`/Users/${id}`, { op: 'Remove', path: 'roles' });
    expect(await role()).toBe('user');
    const refused = await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'roles', value: [{ value: 'emperor' }] });
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  it('are found among those made by hand, and taken over', async () => {
    const { body } = await server.request('POST', '/v2/users', { email: 'here@example.org', first_name: 'H', role: 'manager' });
    const found = await entra.find('Users', 'userName eq "Here@example.org"');
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: body.id, userName: 'here@example.org' }] });
    expect(found.body.Resources[0]).not.toHaveProperty('externalId');
    await entra.patch(`/Users/${body.id}`, { op: 'Add', path: 'externalId', value: 'ext-here' });
    expect((await entra.find('Users', 'externalId eq "ext-here"')).body.Resources).toMatchObject([
      { id: body.id, externalId: 'ext-here', name: { givenName: 'H' }, roles: [{ value: 'manager' }] },
    ]);
  });
});

describe('groups from Entra ID', () => {
  it('are made without members, which come and go by operations', async () => {
    const [one, two] = [await entra.create('Users', newUser('one')), await entra.create('Users', newUser('two'))];
    const more = '&excludedAttributes=members';
    expect(await entra.find('Groups', 'displayName eq "displayName"', more)).toMatchObject(noneFound);
    const made = await entra.send('POST', '/Groups', {
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:Group',
        'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
      ],
      externalId: '8aa1a0c0',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    });
    expect(made).toMatchObject({ status: 201, body: { externalId: '8aa1a0c0', displayName: 'displayName', members: [] } });
    const path = `/Groups/${made.body.id}`;
    const members = async () => (await entra.get(path)).body.members.map(({ value }: { value: string }) => value).sort();

    const found = await entra.find('Groups', 'displayName eq "displayName"', more);
    expect(found.body.Resources).toMatchObject([{ id: made.body.id }]);
    expect(found.body.Resources[0]).not.toHaveProperty('members');
    expect((await entra.get(`${path}?excludedAttributes=members`)).body).not.toHaveProperty('members');

    const added = {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: one },
        { $ref: null, value: two.toUpperCase() },
      ],
    };
    expect((await entra.patch(path, added)).status).toBe(204);
    expect(await members()).toEqual([one, two].sort());
    expect((await entra.find('Groups', `id eq "${made.body.id}" and members eq "${one}"`, more)).body.totalResults).toBe(1);
    expect((await entra.patch(path, { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] })).status).toBe(204);
    expect(await members()).toEqual([two]);
    expect((await entra.find('Groups', `id eq "${made.body.id}" and members eq "${one}"`, more)).body.totalResults).toBe(0);
    expect((await entra.patch(path, { op: 'Replace', path: 'displayName', value: 'renamed' })).status).toBe(204);
    expect((await entra.get(path)).body).toMatchObject({ displayName: 'renamed', externalId: '8aa1a0c0' });
    expect((await entra.send('DELETE', path)).status).toBe(204);
    expect((await entra.get(path)).status).toBe(404);
  });
});
