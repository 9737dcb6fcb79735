import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
});
