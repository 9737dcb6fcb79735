import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SocialIssuer } from '../../setup/social-issuer.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { person, withKey } from '../people.ts';
import { noneFound, scimClient, USER } from './scim-client.ts';

let issuer: SocialIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await SocialIssuer.start();
});
afterAll(() => issuer.stop());
beforeEach(async () => {
  server = await startTestServer({ socialProviders: { okta: issuer.provider() } });
});
afterEach(() => server.close());
const scim = scimClient(() => server);

const refused = (status: number, scimType?: string) => ({
  status,
  body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), ...(scimType && { scimType }) },
});
const me = async () => (await server.request('GET', '/v2/current_user')).body;
const audited = async (object_id: string) =>
  (await server.cradle.auditStore.list({ object_id }, { offset: 0, limit: 100 })).map(({ action }) => action).reverse();

describe('provisioned users', () => {
  it('sign in at their provider, where nobody else gets an account by it', async () => {
    const login = async (email: string) => {
      const id_token = await issuer.token({ sub: email, email, email_verified: true });
      return server.request('POST', '/v2/login/social', { provider: 'okta', id_token }, { headers: { 'service-api-key': '' } });
    };
    expect(await login('ada@example.org')).toMatchObject({ status: 401 });
    const id = await scim.create('Users', { userName: 'ada.l', emails: [{ value: 'Ada@Example.org', primary: 'true' }] });
    const { status, body } = await login('ada@example.org');
    expect(status).toBe(200);
    expect((await server.cradle.accessService.callerByToken(body.access_token))?.user_id).toBe(id);
    expect(await audited(id)).toEqual(['user.create', 'user.link_identity', 'login.social']);
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    expect(await login('ada@example.org')).toMatchObject({ status: 401 });
    expect(await audited(id)).toEqual(['user.create', 'user.link_identity', 'login.social', 'user.update']);
  });

  it('have their user name for an e-mail when none is given, which then goes with it', async () => {
    const id = await scim.create('Users', { userName: 'Old@Example.org' });
    const renamed = await scim.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'new@example.org' });
    expect(renamed.body).toMatchObject({ userName: 'new@example.org', emails: [{ value: 'new@example.org' }] });
    expect(await scim.send('POST', '/Users', { schemas: [USER], userName: 'no address' })).toMatchObject(
      refused(400, 'invalidValue'),
    );
  });

  it('share neither user name nor e-mail, and nothing is kept of who would', async () => {
    await scim.create('Users', { userName: 'one', emails: [{ value: 'one@example.org' }] });
    const id = await scim.create('Users', { userName: 'two', emails: [{ value: 'two@example.org' }] });
    const { email } = await me();
    const taken = [
      { userName: 'ONE', emails: [{ value: 'x@example.org' }] },
      { userName: 'three', emails: [{ value: 'one@example.org' }] },
      { userName: email, emails: [{ value: 'x@example.org' }] },
    ];
    for (const facts of taken) {
      expect(await scim.send('POST', '/Users', facts)).toMatchObject(refused(409, 'uniqueness'));
      expect(await scim.send('PUT', `/Users/${id}`, facts)).toMatchObject(refused(409, 'uniqueness'));
    }
    expect((await scim.get('/Users')).body.totalResults).toBe(3);
    expect((await scim.get(`/Users/${id}`)).body).toMatchObject({ userName: 'two', emails: [{ value: 'two@example.org' }] });
  });

  it('come page by page, counted from one', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await scim.create('Users', { userName: `${name}@example.org` });
    const page = async (query: string) => {
      const { totalResults, startIndex, itemsPerPage, Resources } = (await scim.get(`/Users?${query}`)).body;
      return [totalResults, startIndex, itemsPerPage, Resources.length];
    };
    expect(await page('')).toEqual([5, 1, 5, 5]);
    expect(await page('startIndex=2&count=3')).toEqual([5, 2, 3, 3]);
    expect(await page('startIndex=5&count=3')).toEqual([5, 5, 1, 1]);
    expect(await page('startIndex=-7&count=0')).toEqual([5, 1, 0, 0]);
    expect(await page('startIndex=9999999999999')).toEqual([5, 2_147_483_647, 0, 0]);
    expect(await page('count=100000&attributes=userName')).toEqual([5, 1, 5, 5]);
    expect((await scim.get('/Users?attributes=userName&count=1')).body.Resources[0]).toEqual({
      schemas: [USER],
      id: expect.any(String),
      userName: expect.any(String),
    });
    expect(await scim.get('/Users?count=many')).toMatchObject(refused(400, 'invalidValue'));
  });
});

describe('what provisioning does not do', () => {
  it('leaves the last administrator, and the account whose key it is, as they are', async () => {
    const { id } = await me();
    const disabling = { op: 'replace', path: 'active', value: false };
    expect(await scim.patch(`/Users/${id}`, disabling)).toMatchObject(refused(400, 'mutability'));
    const demoting = { op: 'replace', path: 'roles', value: [{ value: 'user' }] };
    expect(await scim.patch(`/Users/${id}`, demoting)).toMatchObject(refused(400, 'mutability'));
    expect(await scim.send('DELETE', `/Users/${id}`)).toMatchObject(refused(400, 'mutability'));
    await person(server, { role: 'admin' });
    expect(await scim.patch(`/Users/${id}`, disabling)).toMatchObject(refused(403));
    expect(await me()).toMatchObject({ id, role: 'admin', is_disabled: false });
    // An operation that changes nothing is no attempt.
    expect((await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).status).toBe(200);
  });

  it('passes what only a deleted user owned to whoever the key belongs to', async () => {
    const id = await scim.create('Users', { userName: 'owner@example.org' });
    const { request } = await withKey(server, { id, email: 'owner@example.org' });
    const project = (await request('POST', '/v2/projects', { name: 'theirs', type: 'gen_ai' })).body;
    expect((await scim.send('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await audited(project.id)).toContain('project.take_over');
  });
});

describe('members of provisioned groups', () => {
  it('reach what is shared with the group, from the next request on and no longer', async () => {
    const worker = await person(server);
    const { id: project } = (await server.request('POST', '/v2/projects', { name: 'shared', type: 'gen_ai' })).body;
    const id = await scim.create('Groups', { displayName: 'workers', members: [{ value: worker.id }] });
    const share = [{ group_id: id, role: 'viewer' }];
    expect((await server.request('POST', `/v2/projects/${project}/groups`, share)).status).toBe(200);
    const status = async () => (await worker.request('GET', `/v2/projects/${project}`)).status;
    expect(await status()).toBe(200);
    await scim.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${worker.id}"]` });
    expect(await status()).toBe(404);
    await scim.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: worker.id }] });
    expect(await status()).toBe(200);
    await scim.send('DELETE', `/Groups/${id}`);
    expect(await status()).toBe(404);
    expect(await audited(id)).toEqual([
      'group.create',
      'group_members.add',
      'group_members.remove',
      'group_members.add',
      'group.delete',
    ]);
  });

  it('stay maintainers when they are one, until the provider takes them out', async () => {
    const [boss, hand, asking] = [await person(server), await person(server), await person(server)];
    const group = (await boss.request('POST', '/v2/groups', { name: 'by hand', visibility: 'protected' })).body;
    await asking.request('POST', `/v2/groups/${group.id}/join`);
    const roles = async () => {
      const { members } = (await server.request('GET', `/v2/groups/${group.id}/members`)).body;
      return Object.fromEntries(members.map((one: { user_id: string; role: string }) => [one.user_id, one.role]));
    };
    const members = [boss, hand, asking].map(({ id: value }) => ({ value }));
    expect((await scim.get(`/Groups/${group.id}`)).body.members).toEqual([expect.objectContaining({ value: boss.id })]);
    await scim.send('PUT', `/Groups/${group.id}`, { displayName: 'by hand', members });
    expect(await roles()).toEqual({ [boss.id]: 'maintainer', [hand.id]: 'member', [asking.id]: 'member' });
    await scim.send('PUT', `/Groups/${group.id}`, { displayName: 'by hand', members: [{ value: hand.id }] });
    expect(await roles()).toEqual({ [hand.id]: 'member' });
  });

  it('are users that there are, no more than ten thousand at once', async () => {
    const facts = { displayName: 'crowd' };
    const unknown = [{ value: randomUUID() }];
    expect(await scim.send('POST', '/Groups', { ...facts, members: unknown })).toMatchObject(refused(400, 'invalidValue'));
    expect(await scim.send('POST', '/Groups', { ...facts, members: [{ value: 'nobody' }] })).toMatchObject(
      refused(400, 'invalidValue'),
    );
    const many = Array.from({ length: 10_001 }, () => ({ value: randomUUID() }));
    expect(await scim.send('POST', '/Groups', { ...facts, members: many })).toMatchObject(refused(413));
    expect((await scim.get('/Groups')).body.totalResults).toBe(0);
    await scim.create('Groups', facts);
    expect(await scim.send('POST', '/Groups', facts)).toMatchObject(refused(409, 'uniqueness'));
  });
});

describe('the protocol', () => {
  it('is described where clients look for it', async () => {
    expect((await scim.get('/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
    });
    for (const [kind, ids] of [
      ['ResourceTypes', ['User', 'Group']],
      ['Schemas', [USER, 'urn:ietf:params:scim:schemas:core:2.0:Group']],
    ] as const) {
      const { body } = await scim.get(`/${kind}`);
      expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual(ids);
      for (const one of body.Resources) {
        expect((await scim.get(`/${kind}/${one.id}`)).body).toEqual(one);
        expect(one.meta.location).toBe(`${server.url}/scim/v2/${kind}/${one.id}`);
      }
    }
    // Every attribute of a reply is one of the schema.
    const { attributes } = (await scim.get(`/Schemas/${USER}`)).body;
    const known = attributes.map(({ name }: { name: string }) => name);
    const [user] = (await scim.get('/Users')).body.Resources;
    expect(Object.keys(user).filter((name) => !['schemas', 'id', 'externalId', 'meta', ...known].includes(name))).toEqual([]);
  });

  it.each([
    ['PATCH', '/Users/ID', { Operations: [] }, 400, 'invalidSyntax'],
    ['PATCH', '/Users/ID', {}, 400, 'invalidSyntax'],
    ['PATCH', '/Users/ID', [], 400, 'invalidSyntax'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'move', path: 'active' }] }, 400, 'invalidSyntax'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'replace', value: 'x' }] }, 400, 'invalidSyntax'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'replace', path: 'emails[', value: 'x' }] }, 400, 'invalidPath'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'replace', path: 'active', value: 'perhaps' }] }, 400, 'invalidValue'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'remove', path: 'userName' }] }, 400, 'invalidValue'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'replace', path: 'name', value: 'x' }] }, 400, 'invalidValue'],
    ['PATCH', '/Users/ID', { Operations: [{ op: 'replace', path: 'displayName', value: 'a\0b' }] }, 400, 'invalidValue'],
    ['PUT', '/Users/ID', null, 400, 'invalidValue'],
    ['POST', '/Users', { userName: { a: 1 } }, 400, 'invalidValue'],
    ['POST', '/Users', { __proto__: null, constructor: 1, userName: 'x'.repeat(400) }, 400, 'invalidValue'],
    ['POST', '/Groups', { displayName: '  ' }, 400, 'invalidValue'],
    ['GET', '/Users?filter=title%20pr', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=active%20eq%20true', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=userName%20co%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Groups?filter=displayName', undefined, 400, 'invalidFilter'],
    ['DELETE', '/Users', undefined, 405, undefined],
    ['POST', '/Users/ID', {}, 405, undefined],
    ['GET', '/Me', undefined, 404, undefined],
    ['GET', '/Users/nobody', undefined, 404, undefined],
    ['GET', '/Users/ID/more', undefined, 404, undefined],
    ['GET', '/Groups/%E0', undefined, 400, undefined],
    ['GET', '//Users', undefined, 404, undefined],
  ])('refuses %s %s %j in its own form', async (method, path, body, status, scimType) => {
    const id = await scim.create('Users', { userName: 'u@example.org', externalId: 'e' });
    const before = (await scim.get(`/Users/${id}`)).body;
    expect(await scim.send(method, path.replace('ID', id), body)).toMatchObject(refused(status, scimType));
    expect((await scim.get(`/Users/${id}`)).body).toEqual(before);
  });

  it('finds nothing by what nothing can be', async () => {
    for (const filter of [
      'id eq "nobody"',
      'externalId eq ""',
      'userName eq "\\u0000"',
      'emails eq "x"',
      'id eq "nobody" and active eq true',
    ])
      expect(await scim.find('Users', filter)).toMatchObject(noneFound);
    for (const filter of ['id eq "nobody"', 'members eq "nobody"', 'displayName eq "\\u0000"', 'externalId eq "\\ud800"'])
      expect(await scim.find('Groups', filter)).toMatchObject(noneFound);
  });

  it('takes JSON by its other name, and nothing else', async () => {
    const send = (type: string) =>
      fetch(`${server.url}/scim/v2/Users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN.api_key}`, 'content-type': type },
        body: JSON.stringify({ userName: `${randomUUID()}@example.org` }),
      });
    expect((await send('application/json')).status).toBe(201);
    expect((await send('text/plain')).status).toBe(415);
  });
});
