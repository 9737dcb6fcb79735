import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LOGIN_LIMITS } from '../../../core/access/login/login-limiter.ts';
import type { ApiKey, User } from '../../../core/access/users/user.ts';
import { plainUser } from '../../setup/plain-user.ts';
import { ADMIN, type Reply, startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ trustedProxies: ['loopback'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const PASSWORD = 'another good password';
const NO_KEY = { 'service-api-key': '' };

async function user(facts: Partial<User> = {}): Promise<User> {
  const made = plainUser({ password_hash: await server.cradle.passwordHasher.hash(PASSWORD), ...facts });
  await server.cradle.accessStore.insertUser(made);
  return made;
}

async function apiKey(of: User, facts: Partial<ApiKey> = {}): Promise<{ key: ApiKey; secret: string }> {
  const secret = server.cradle.secrets.mint('tsk_');
  const key: ApiKey = {
    id: randomUUID(),
    user_id: of.id,
    key_hash: server.cradle.secrets.digest(secret),
    description: '',
    truncated: secret.slice(-4),
    project_id: null,
    max_role: null,
    purpose: null,
    expires_at: null,
    last_used_at: null,
    created_at: new Date().toISOString(),
    ...facts,
  };
  await server.cradle.accessStore.insertApiKey(key);
  return { key, secret };
}

const login = (username: string, password: string, headers: Record<string, string> = {}): Promise<Reply> =>
  server.request('POST', '/v2/login', undefined, { raw: new URLSearchParams({ username, password }), headers });
const loginByKey = (api_key: string): Promise<Reply> => server.request('POST', '/v2/login/api_key', { api_key });
const refresh = (token: string, path = '/v2/refresh_token'): Promise<Reply> =>
  server.request('POST', path, undefined, { headers: { cookie: `refresh_token=${token}` } });
/** By HTTP Basic, without the key that the harness sends. */
async function basic(email: string, password: string): Promise<Reply> {
  const authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  const res = await fetch(`${server.url}/v2/projects`, { headers: { authorization } });
  return { status: res.status, headers: res.headers, body: await res.json() };
}

const parseCookie = (reply: Reply): string => reply.headers.get('set-cookie') ?? '';
const getRefreshToken = (reply: Reply): string => /^refresh_token=([^;]+)/.exec(parseCookie(reply))![1]!;

/** Status of a request with an access token: 200 or 401. */
async function statusWith(access_token: string): Promise<number> {
  const res = await fetch(`${server.url}/v2/projects`, { headers: { authorization: `Bearer ${access_token}` } });
  await res.text();
  return res.status;
}

const auditLines = () => server.cradle.auditStore.list({}, { offset: 0, limit: 100 });
const later = (ms: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};
/** Told by another instance, this one believes for a moment what it knew before. */
const forget = (): void => server.cradle.recentPrincipals.forget();

describe('a login', () => {
  it.each(['/v2/login', '/login'])('by form at %s answers a token and a cookie', async (path) => {
    const form = new URLSearchParams({
      username: ` ${ADMIN.email.toUpperCase()} `,
      password: ADMIN.password,
      grant_type: 'password',
    });
    const reply = await server.request('POST', path, undefined, { raw: form });
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String), token_type: 'bearer' } });
    expect(Object.keys(reply.body)).toEqual(['access_token', 'token_type']);
    expect(await statusWith(reply.body.access_token)).toBe(200);
    expect(parseCookie(reply)).toMatch(/^refresh_token=tsr_\w{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/);
  });

  it('by key answers them too', async () => {
    const reply = await loginByKey(ADMIN.api_key);
    expect(await statusWith(reply.body.access_token)).toBe(200);
    expect(parseCookie(reply)).toContain('HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000');
  });

  it('marks the cookie as secure where a trusted proxy says that it was TLS', async () => {
    const reply = await login(ADMIN.email, ADMIN.password, { 'x-forwarded-proto': 'https' });
    expect(parseCookie(reply)).toMatch(/; Max-Age=2592000; Secure$/);
  });

  it('is refused alike for whatever reason', async () => {
    const { email } = await user();
    const refused = [
      await login(email, 'wrong'),
      await login('nobody@example.org', PASSWORD),
      await login((await user({ is_disabled: true })).email, PASSWORD),
      await login((await user({ email_is_verified: false })).email, PASSWORD),
      await login((await user({ password_hash: null })).email, PASSWORD),
      await login(email, 'x'.repeat(1024)),
      await loginByKey('tsk_unknown'),
      await loginByKey((await apiKey(await user({ is_disabled: true }))).secret),
      await loginByKey((await apiKey(await user({ email_is_verified: false }))).secret),
      await loginByKey((await apiKey(await user(), { expires_at: new Date(Date.now() - 1).toISOString() })).secret),
    ];
    const detail = 'user name, password or key is not valid';
    for (const { status, body, headers } of refused) {
      expect([status, body]).toEqual([401, { detail, code: 'login_refused', request_id: expect.any(String) }]);
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect((await login(email, PASSWORD)).status).toBe(200);
  });

  it('is noted in the audit log with who and where from; a refused one is not', async () => {
    const ann = await user();
    const { key, secret } = await apiKey(ann);
    await login(ann.email, PASSWORD, { 'x-request-id': 'the-login', 'x-forwarded-for': '203.0.113.9' });
    await login(ann.email, 'wrong');
    await loginByKey(secret);
    const [byKey, byPassword, ...rest] = await auditLines();
    const who = { actor_id: ann.id, actor_email: ann.email, object_kind: 'user', object_id: ann.id };
    expect(byPassword).toMatchObject({
      ...who,
      action: 'login.password',
      scheme: 'password',
      request_id: 'the-login',
      address: '203.0.113.9',
    });
    expect(byKey).toMatchObject({ ...who, action: 'login.api_key', scheme: 'api_key', api_key_id: key.id });
    expect(rest.map(({ action }) => action)).toEqual(['user.bootstrap']);
  });

  it('leaves no secret where it could be read', async () => {
    const reply = await login(ADMIN.email, ADMIN.password);
    await refresh(getRefreshToken(reply));
    const seen = JSON.stringify([server.logged, await auditLines()]);
    for (const secret of [ADMIN.password, reply.body.access_token, getRefreshToken(reply)]) expect(seen).not.toContain(secret);
  });
});

describe('a token got for a key', () => {
  it('ends with the key', async () => {
    const { key, secret } = await apiKey(await user());
    const reply = await loginByKey(secret);
    expect(await statusWith(reply.body.access_token)).toBe(200);
    await server.cradle.accessStore.removeApiKey(key.id);
    forget();
    expect(await statusWith(reply.body.access_token)).toBe(401);
    expect((await refresh(getRefreshToken(reply))).status).toBe(401);
  });

  it('ends when the key expires, and so does its refresh token', async () => {
    const { secret } = await apiKey(await user(), { expires_at: new Date(Date.now() + 60_000).toISOString() });
    const reply = await loginByKey(secret);
    later(61_000);
    forget();
    expect(await statusWith(reply.body.access_token)).toBe(401);
    expect((await refresh(getRefreshToken(reply))).status).toBe(401);
  });

  it('stays within the limits of the key after a refresh', async () => {
    const { key, secret } = await apiKey(await user(), { max_role: 'viewer' });
    const { body } = await refresh(getRefreshToken(await loginByKey(secret)));
    const caller = await server.cradle.accessService.callerByToken(body.access_token);
    expect(caller).toMatchObject({ api_key_id: key.id, max_role: 'viewer' });
  });
});

describe('logging out', () => {
  const logout = (cookie?: string, token?: string): Promise<Reply> => {
    const headers = {
      ...(cookie === undefined ? {} : { cookie }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    return server.request('POST', '/v2/logout', undefined, { headers: { ...NO_KEY, ...headers } });
  };

  it.each<[string, (login: Reply) => Promise<Reply>]>([
    ['by its cookie', (login) => logout(`refresh_token=${getRefreshToken(login)}`)],
    ['by its access token', (login) => logout(undefined, login.body.access_token)],
    ['by both', (login) => logout(`refresh_token=${getRefreshToken(login)}`, login.body.access_token)],
  ])('%s ends its access tokens at once, refreshed ones too, and its refresh tokens', async (_what, end) => {
    const first = await login(ADMIN.email, ADMIN.password);
    const second = await refresh(getRefreshToken(first));
    const other = await login(ADMIN.email, ADMIN.password);
    const tokens = [first.body.access_token, second.body.access_token];
    for (const token of [...tokens, other.body.access_token]) expect(await statusWith(token)).toBe(200);
    expect((await end(second)).status).toBe(200);
    for (const token of tokens) expect(await statusWith(token)).toBe(401);
    expect((await refresh(getRefreshToken(second))).status).toBe(401);
    expect(await statusWith(other.body.access_token)).toBe(200);
    expect((await refresh(getRefreshToken(other))).status).toBe(200);
  });

  it('ends a token in other instances within a second', async () => {
    const { body } = await login(ADMIN.email, ADMIN.password);
    const { accessService, loginService, recentPrincipals } = server.cradle;
    later(0);
    expect(await statusWith(body.access_token)).toBe(200);
    // Another instance forgets nothing here.
    vi.spyOn(recentPrincipals, 'forget').mockImplementation(() => {});
    await loginService.logout({ access_token: body.access_token });
    later(1_000);
    expect(await accessService.callerByToken(body.access_token)).toBeUndefined();
  });

  it('ends a token from before there were logins in it', async () => {
    const ann = await user();
    const token = await server.cradle.tokenIssuer.issue({ user_id: ann.id, token_version: 0, api_key_id: null });
    const other = await server.cradle.tokenIssuer.issue({ user_id: ann.id, token_version: 0, api_key_id: null });
    expect((await logout(undefined, token)).status).toBe(200);
    expect([await statusWith(token), await statusWith(other)]).toEqual([401, 200]);
  });

  it('leaves keys and passwords alone', async () => {
    const reply = await loginByKey(ADMIN.api_key);
    await logout(undefined, reply.body.access_token);
    expect(await statusWith(reply.body.access_token)).toBe(401);
    expect((await server.request('GET', '/v2/projects')).status).toBe(200);
    expect((await basic(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('ends every token of the login and takes the cookie back', async () => {
    const first = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    const second = getRefreshToken(await refresh(first));
    const reply = await logout(`refresh_token=${second}`);
    expect(reply).toMatchObject({ status: 200, body: { message: 'logged out' } });
    expect(parseCookie(reply)).toBe('refresh_token=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0');
    expect((await refresh(second)).status).toBe(401);
    expect((await refresh(first)).status).toBe(401);
  });

  it('leaves other logins alone', async () => {
    const other = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    await logout(`refresh_token=${getRefreshToken(await login(ADMIN.email, ADMIN.password))}`);
    expect((await refresh(other)).status).toBe(200);
  });

  it.each([undefined, 'refresh_token=', 'refresh_token=tsr_unknown'])('returns 200 to %s as well', async (cookie) => {
    expect((await logout(cookie)).status).toBe(200);
    expect((await logout(cookie, 'x.y.z')).status).toBe(200);
  });
});

describe('a refresh token', () => {
  it.each(['/v2/refresh_token', '/refresh_token'])('is exchanged at %s for an access token and the next cookie', async (path) => {
    const first = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    const reply = await refresh(first, path);
    expect(reply).toMatchObject({ status: 200, body: { token_type: 'bearer' } });
    expect(await statusWith(reply.body.access_token)).toBe(200);
    expect(parseCookie(reply)).toContain('HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000');
    expect(getRefreshToken(reply)).not.toBe(first);
    expect((await refresh(getRefreshToken(reply))).status).toBe(200);
  });

  it('is taken whatever comes with it', async () => {
    let token = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    for (const [type, raw] of [
      ['application/json', ''],
      ['application/json', '{"a":'],
      ['text/plain', 'hello'],
      ['application/x-www-form-urlencoded', 'a=b'],
    ] as const) {
      const headers = { cookie: `theme=dark; refresh_token=${token}; other="x=y"`, 'content-type': type, ...NO_KEY };
      const reply = await server.request('POST', '/refresh_token', undefined, { headers, raw });
      expect([type, raw, reply.status]).toEqual([type, raw, 200]);
      token = getRefreshToken(reply);
    }
  });

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['another cookie', { cookie: 'xrefresh_token=tsr_x; theme=dark' }],
    ['an empty one', { cookie: 'refresh_token=' }],
    ['an unknown one', { cookie: `refresh_token=tsr_${'a'.repeat(43)}` }],
    ['garbage', { cookie: 'refresh_token=%00%ff; ;;=' }],
    ['an access token in its place', { authorization: 'Bearer x' }],
  ])('is refused for %s', async (_what, headers) => {
    const reply = await server.request('POST', '/v2/refresh_token', undefined, { headers: { ...NO_KEY, ...headers } });
    expect(reply).toMatchObject({ status: 401, body: { detail: expect.any(String), code: expect.stringMatching(/^refresh_/) } });
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it('ends its whole family when it is used again later', async () => {
    const first = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    const second = getRefreshToken(await refresh(first));
    const other = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    later(11_000);
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(second)).status).toBe(401);
    expect((await refresh(other)).status).toBe(200);
  });

  it('may be sent twice by a client that races itself', async () => {
    const first = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    const replies = await Promise.all([refresh(first), refresh(first), refresh(first)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map(getRefreshToken)).size).toBe(3);
    later(9_000);
    expect((await refresh(first)).status).toBe(200);
    expect((await refresh(getRefreshToken(replies[2]!))).status).toBe(200);
  });

  it('lasts 30 days, and each that follows does', async () => {
    const first = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    const unused = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    later(29 * 24 * 3600_000);
    const second = await refresh(first);
    expect(second.status).toBe(200);
    later(24 * 3600_000);
    expect((await refresh(unused)).status).toBe(401);
    expect((await refresh(getRefreshToken(second))).status).toBe(200);
  });

  it.each<[string, (ann: User) => Promise<unknown>]>([
    ['their tokens are ended', ({ id }) => server.cradle.accessStore.endTokens(id)],
    ['they are disabled', ({ id, updated_at }) => server.cradle.accessStore.updateUser(id, { is_disabled: true, updated_at })],
    ['they are removed', ({ id }) => server.cradle.accessStore.removeUser(id)],
  ])('ends for a user when %s', async (_what, change) => {
    const ann = await user();
    const token = getRefreshToken(await login(ann.email, PASSWORD));
    await change(ann);
    expect(await refresh(token)).toMatchObject({ status: 401, body: { code: 'refresh_refused' } });
  });

  it('is kept as a digest, and removed when it has expired', async () => {
    const token = getRefreshToken(await login(ADMIN.email, ADMIN.password));
    const { loginStore, loginService, secrets } = server.cradle;
    later(31 * 24 * 3600_000);
    expect(await loginStore.useRefreshToken(token, new Date().toISOString())).toBeUndefined();
    await loginService.tidy();
    expect(await loginStore.useRefreshToken(secrets.digest(token), new Date().toISOString())).toBeUndefined();
  });
});

describe('too many failures', () => {
  /** The clock stands still, so that a slow machine does not outwait the delay. */
  const fail = async (email: string, attempt: typeof login = login): Promise<void> => {
    later(0);
    for (let i = 0; i < 10; i += 1) expect((await attempt(email, 'wrong')).status).toBe(401);
  };

  it.each<[string, () => Promise<string>]>([
    ['a known user', async () => (await user()).email],
    ['an unknown one', async () => 'nobody@example.org'],
    ['a disabled one', async () => (await user({ is_disabled: true })).email],
  ])('make %s wait, and HTTP Basic with it', async (_who, make) => {
    const email = await make();
    await fail(email);
    for (const reply of [await login(email, PASSWORD), await login(email, 'wrong'), await basic(email, PASSWORD)]) {
      expect(reply).toMatchObject({ status: 429, body: { code: 'login_limited', detail: expect.any(String) } });
      expect(reply.headers.get('retry-after')).toMatch(/^[12]$/);
    }
    expect((await login(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('by HTTP Basic count as well, also while the right password is remembered', async () => {
    const { email } = await user();
    expect((await basic(email, PASSWORD)).status).toBe(200);
    await fail(email, basic);
    expect((await basic(email, PASSWORD)).status).toBe(429);
    expect((await login(email, PASSWORD)).status).toBe(429);
    later(2_000);
    expect((await login(email, PASSWORD)).status).toBe(200);
    expect((await basic(email, PASSWORD)).status).toBe(200);
  });

  it('that come at once are checked no more often than one after the other', { timeout: 60_000 }, async () => {
    const { email } = await user();
    const verify = vi.spyOn(server.cradle.passwordHasher, 'verify');
    later(0);
    const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? login : basic)(email, `wrong${n}`)));
    expect(verify.mock.calls.length).toBeLessThanOrEqual(10);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 429]));
    for (let n = 0; n < 20; n += 1) await login(email, `wrong again ${n}`);
    expect(verify).toHaveBeenCalledTimes(10);
  });

  it('of one network do not lock the user out of another, by password, HTTP Basic, key or token', async () => {
    const ann = await user();
    const { secret } = await apiKey(ann);
    const token = (await loginByKey(secret)).body.access_token;
    later(0);
    const elsewhere = { 'x-forwarded-for': '203.0.113.66' };
    for (let i = 0; i < 30; i += 1) await login(ann.email, `wrong${i}`, elsewhere);
    expect((await login(ann.email, PASSWORD, elsewhere)).status).toBe(429);
    expect((await login(ann.email, PASSWORD)).status).toBe(200);
    expect((await basic(ann.email, PASSWORD)).status).toBe(200);
    for (const headers of [elsewhere, {}]) {
      const byKey = { headers: { 'service-api-key': secret, ...headers } };
      expect((await server.request('GET', '/v2/projects', undefined, byKey)).status).toBe(200);
    }
    expect(await statusWith(token)).toBe(200);
  });

  it('are noted in the audit log with the user they concern', async () => {
    const { id, email } = await user();
    await fail(email);
    const [line] = await auditLines();
    expect(line).toMatchObject({ action: 'login.limited', actor_id: null, object_id: id, details: { limited: 'account' } });
  });

  it('of keys leave good keys alone', async () => {
    for (let i = 0; i < 100; i += 1) expect((await loginByKey(`tsk_bad${i}`)).status).toBe(401);
    expect(await loginByKey('tsk_bad')).toMatchObject({ status: 429, body: { code: 'login_limited' } });
    const bad = { headers: { 'service-api-key': 'tsk_bad' } };
    expect((await server.request('GET', '/v2/projects', undefined, bad)).status).toBe(429);
    expect((await loginByKey(ADMIN.api_key)).status).toBe(200);
    expect((await server.request('GET', '/v2/projects')).status).toBe(200);
    expect((await login(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('are counted by where a trusted proxy says they come from', async () => {
    await server.close();
    server = await startTestServer({ trustedProxies: ['loopback'], loginLimits: { ...DEFAULT_LOGIN_LIMITS, address_free: 5 } });
    later(0);
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let i = 0; i < 5; i += 1) expect((await login(`u${i}@example.org`, 'wrong', from(`2001:db8::${i}`))).status).toBe(401);
    expect((await login(ADMIN.email, ADMIN.password, from('2001:db8::ffff'))).status).toBe(429);
    expect((await login(ADMIN.email, ADMIN.password, from('2001:db8:0:1::1'))).status).toBe(200);
  });

  it('are none where logins succeed: a busy client is let through', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const attempts = Array.from({ length: 10 }, (_, n) =>
        n % 2 ? login(ADMIN.email, ADMIN.password) : loginByKey(ADMIN.api_key),
      );
      statuses.push(...(await Promise.all(attempts)).map(({ status }) => status));
    }
    expect(statuses).toEqual(Array(60).fill(200));
  });
});
