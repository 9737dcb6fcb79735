import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADMIN } from '../../http/harness.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';

let one: PostgresService;
let other: PostgresService;
beforeAll(async () => {
  let shared = '';
  one = await startPostgresService({
    via: async (url) => {
      shared = url;
      return url;
    },
  });
  other = await startPostgresService({ via: async () => shared });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

const none = { 'service-api-key': '' };
const statusAt = async (service: PostgresService, token: string): Promise<number> => {
  const reply = await fetch(`${service.url}/v2/current_user`, { headers: { authorization: `Bearer ${token}` } });
  await reply.text();
  return reply.status;
};

async function logIn(service: PostgresService): Promise<{ token: string; cookie: string }> {
  const raw = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
  const { body, headers } = await service.request('POST', '/v2/login', undefined, { raw, headers: none });
  return { token: body.access_token, cookie: headers.get('set-cookie')!.split(';')[0]! };
}

describe('two instances on one database', () => {
  it('both refuse the tokens of a login that ended in one of them', async () => {
    const { token, cookie } = await logIn(one);
    const refreshed = await other.request('POST', '/v2/refresh_token', undefined, { headers: { ...none, cookie } });
    const tokens = [token, refreshed.body.access_token];
    for (const service of [one, other]) for (const each of tokens) expect(await statusAt(service, each)).toBe(200);
    const logout = await one.request('POST', '/v2/logout', undefined, { headers: { ...none, authorization: `Bearer ${token}` } });
    expect(logout.status).toBe(200);
    for (const each of tokens) {
      expect(await statusAt(one, each)).toBe(401);
      await vi.waitFor(async () => expect(await statusAt(other, each)).toBe(401), 5_000);
    }
    const next = refreshed.headers.get('set-cookie')!.split(';')[0]!;
    for (const service of [one, other])
      expect((await service.request('POST', '/v2/refresh_token', undefined, { headers: { ...none, cookie: next } })).status).toBe(
        401,
      );
  });

  it('leave another login of the same user alone', async () => {
    const [ended, kept] = [await logIn(one), await logIn(other)];
    await other.request('POST', '/v2/logout', undefined, { headers: { ...none, cookie: ended.cookie } });
    await vi.waitFor(async () => expect(await statusAt(one, ended.token)).toBe(401), 5_000);
    expect([await statusAt(one, kept.token), await statusAt(other, kept.token)]).toEqual([200, 200]);
  });
});
