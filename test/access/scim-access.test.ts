import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { person, withKey } from '../http/people.ts';
import { type Fixture, openAccessFixture } from './open-fixture.ts';

// SCIM is no row of the matrix: it has no operation in the document of the API. The same callers come here.

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openAccessFixture();
});
afterAll(() => fixture.server.close());

const READS = ['/Users', `/Users/${randomUUID()}`, '/Groups', '/ServiceProviderConfig', '/Schemas', '/ResourceTypes', '/nothing'];
const WRITES = [
  ['POST', '/Users'],
  ['PUT', `/Users/${randomUUID()}`],
  ['PATCH', `/Users/${randomUUID()}`],
  ['DELETE', `/Users/${randomUUID()}`],
  ['POST', '/Groups'],
  ['PATCH', `/Groups/${randomUUID()}`],
  ['DELETE', `/Groups/${randomUUID()}`],
] as const;

describe('provisioning by SCIM', () => {
  it('is for administrators, by credentials without a limit, and for nobody else', async () => {
    const { server } = fixture;
    const users = await server.cradle.accessStore.countUsers();
    const entered: string[] = [];
    for (const caller of fixture.callers) {
      const credentials = await caller.headers(randomUUID());
      const statuses = new Set<number>();
      for (const [method, path] of [...READS.map((one) => ['GET', one] as const), ...WRITES]) {
        const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
        const headers = { 'content-type': 'application/scim+json', ...credentials };
        const reply = await fetch(`${server.url}/scim/v2${path}`, { method, headers, ...(hasBody && { body: '{}' }) });
        await reply.text();
        statuses.add(reply.status === 401 || reply.status === 403 ? reply.status : 200);
      }
      const may = caller.is_known && caller.role === 'admin' && caller.key_project === null && caller.key_role === null;
      const wanted = may ? 200 : caller.is_known ? 403 : 401;
      expect({ caller: caller.name, statuses: [...statuses] }).toEqual({ caller: caller.name, statuses: [wanted] });
      if (may) entered.push(caller.name);
    }
    expect(entered).toEqual(['administrator']);
    expect(await server.cradle.accessStore.countUsers()).toBe(users);
  });

  it('is all that a key made for it is good for: itself, exchanged for a token, and beside another key of its owner', async () => {
    const { server } = fixture;
    const admin = await person(server, { role: 'admin' });
    const key = await withKey(server, admin, { purpose: 'provisioning' });
    const keyed = { 'service-api-key': key.api_key };
    const { id: api_key_id } = (await server.cradle.accessStore.findApiKeyByHash(server.cradle.secrets.digest(key.api_key)))!;
    const token = await server.cradle.tokenIssuer.issue({ user_id: admin.id, token_version: 0, api_key_id });
    const bearing = { authorization: `Bearer ${token}` };
    const ways: readonly Record<string, string>[] = [keyed, bearing, { 'service-api-key': admin.api_key, ...bearing }];
    for (const headers of ways) expect((await fetch(`${server.url}/scim/v2/Users`, { headers })).status).toBe(200);

    const document = (await server.request('GET', '/v2/openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string; security?: object[] }>>;
    };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => ({ path, method, operationId, security })),
    );
    const guarded = operations.filter(({ security }) => security?.length !== 0);
    expect(guarded.length).toBeGreaterThan(350);
    const entered: string[] = [];
    for (const { path, method, operationId } of guarded)
      for (const headers of operationId.startsWith('get') ? ways : [keyed]) {
        const url = `${server.url}${path.replaceAll(/\{\w+\}/g, randomUUID())}`;
        const reply = await fetch(url, { method: method.toUpperCase(), headers });
        const text = await reply.text();
        if (reply.status !== 403 || !/key_has_other_purpose|made for provisioning alone/.test(text))
          entered.push(`${operationId}: ${reply.status} ${text.slice(0, 200)}`);
      }
    expect(entered).toEqual([]);
    const asked = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...keyed, 'content-type': 'application/json' },
      body: '{}',
    });
    expect({ status: asked.status, text: await asked.text() }).toMatchObject({
      status: 403,
      text: expect.stringContaining('key_has_other_purpose'),
    });
  });
});
