import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { GROUP, noneFound, scimClient, USER } from './scim-client.ts';

// The requests that Okta sends, in the order and the forms of its guide to SCIM 2.0: whole resources by PUT, `active` by an operation
// without a path, groups pushed with their members.

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());
const okta = scimClient(() => server);

const newUser = (name: string) => ({
  schemas: [USER],
  userName: `${name}@example.org`,
  name: { givenName: 'Test', familyName: 'User' },
  emails: [{ primary: true, value: `${name}@example.org`, type: 'work' }],
  displayName: 'Test User',
  locale: 'en-US',
  externalId: `00u${name}`,
  groups: [],
  password: '1mz050nq',
  active: true,
});

describe('users from Okta', () => {
  it('are made, replaced, switched off and on again', async () => {
    expect((await okta.get('/Users?startIndex=1&count=2')).body).toMatchObject({ totalResults: 1, itemsPerPage: 1 });
    expect(await okta.find('Users', 'userName eq "test@example.org"', '&startIndex=1&count=100')).toMatchObject(noneFound);
    const { status, body } = await okta.send('POST', '/Users', newUser('test'));
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('password');
    expect(await okta.send('POST', '/Users', newUser('test'))).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness', status: '409' },
    });
    const replaced = await okta.send('PUT', `/Users/${body.id}`, {
      ...body,
      name: { givenName: 'Another', familyName: 'User' },
      emails: [{ primary: true, value: 'another@example.org', type: 'work' }],
    });
    expect(replaced).toMatchObject({
      status: 200,
      body: { externalId: '00utest', name: { givenName: 'Another' }, emails: [{ value: 'another@example.org' }], active: true },
    });
    const off = await okta.patch(`/Users/${body.id}`, { op: 'replace', value: { active: false } });
    expect(off).toMatchObject({ status: 200, body: { active: false, name: { givenName: 'Another' } } });
    expect((await okta.find('Users', 'userName eq "test@example.org" and active eq true')).body.totalResults).toBe(0);
    expect((await okta.find('Users', 'userName eq "test@example.org" and active eq false')).body.totalResults).toBe(1);
    expect((await okta.send('PUT', `/Users/${body.id}`, { ...replaced.body, active: true })).body.active).toBe(true);
  });

  it('lose sessions and keys at once when they are switched off', async () => {
    const id = await okta.create('Users', newUser('leaver'));
    const { accessStore, secrets, tokenIssuer } = server.cradle;
    const api_key = secrets.mint('tsk_');
    const limits = { project_id: null, max_role: null, purpose: null, expires_at: null, last_used_at: null };
    const made = { created_at: new Date().toISOString(), truncated: 'x', description: 'a key' };
    await accessStore.insertApiKey({ id, user_id: id, key_hash: secrets.digest(api_key), ...limits, ...made });
    const token = await tokenIssuer.issue({ user_id: id, token_version: 0, api_key_id: null });
    const asThey = async (headers: Record<string, string>) => (await fetch(`${server.url}/v2/current_user`, { headers })).status;
    const both = async () => [await asThey({ 'service-api-key': api_key }), await asThey({ authorization: `Bearer ${token}` })];
    expect(await both()).toEqual([200, 200]);
    await okta.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    expect(await both()).toEqual([401, 401]);
    await okta.patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect(await both()).toEqual([200, 401]);
    expect((await okta.send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await both()).toEqual([401, 401]);
  });
});

describe('groups pushed by Okta', () => {
  it('come with members, are renamed, emptied and deleted', async () => {
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((name) => okta.create('Users', newUser(name))));
    const displayed = (value: string | undefined, name: string) => ({ value, display: `${name}@example.org` });
    const made = await okta.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Test SCIMv2',
      members: [displayed(one, 'one')],
    });
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Test SCIMv2', members: [displayed(one, 'one')] } });
    const path = `/Groups/${made.body.id}`;
    const members = async () => (await okta.get(path)).body.members.map(({ value }: { value: string }) => value).sort();
    const listed = await okta.get('/Groups?startIndex=1&count=100');
    expect(listed.body).toMatchObject({ totalResults: 1, Resources: [{ members: [displayed(one, 'one')] }] });

    await okta.patch(path, { op: 'replace', value: { id: made.body.id, displayName: 'Renamed' } });
    await okta.patch(
      path,
      { op: 'remove', path: `members[value eq "${one}"]` },
      { op: 'add', path: 'members', value: [displayed(two, 'two')] },
    );
    expect((await okta.get(path)).body).toMatchObject({ displayName: 'Renamed', members: [displayed(two, 'two')] });
    await okta.patch(path, { op: 'replace', path: 'members', value: [displayed(one, 'one'), displayed(three, 'three')] });
    expect(await members()).toEqual([one, three].sort());
    const put = await okta.send('PUT', path, { schemas: [GROUP], displayName: 'Renamed', members: [displayed(three, 'three')] });
    expect(put).toMatchObject({ status: 200, body: { members: [displayed(three, 'three')] } });
    await okta.patch(path, { op: 'remove', path: 'members' });
    expect(await members()).toEqual([]);
    expect((await okta.send('DELETE', path)).status).toBe(204);
    expect((await okta.get('/Groups')).body.totalResults).toBe(0);
  });
});
