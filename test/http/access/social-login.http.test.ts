import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '../../../core/access/users/user.ts';
import { SocialIssuer, signingKey } from '../../setup/social-issuer.ts';
import { ADMIN, type Reply, startTestServer, type TestServer } from '../harness.ts';

let issuer: SocialIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await SocialIssuer.start();
});
afterAll(() => issuer.stop());
beforeEach(async () => {
  server = await startTestServer({
    socialProviders: {
      okta: issuer.provider({ sign_up_domains: ['example.org'] }),
      google: issuer.provider({ issuer: 'https://google.example', single_use: true, sign_up_domains: [] }),
      custom: issuer.provider({ issuer: 'https://custom.example' }),
    },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

const send = (provider: unknown, id_token: unknown, path = '/v2/login/social'): Promise<Reply> =>
  server.request('POST', path, { provider, id_token }, { headers: { 'service-api-key': '' } });
const okta = async (claims: JWTPayload): Promise<Reply> => send('okta', await issuer.token(claims));
const google = (claims: JWTPayload) => issuer.token({ iss: 'https://google.example', ...claims });
const proven = (email: string, facts: JWTPayload = {}): JWTPayload => ({ email, email_verified: true, ...facts });

const { email: ADMIN_EMAIL } = ADMIN;
const find = (email: string) => server.cradle.accessStore.findUserByEmail(email);
const count = () => server.cradle.accessStore.countUsers();
const actions = async () =>
  (await server.cradle.auditStore.list({}, { offset: 0, limit: 100 })).map(({ action }) => action).reverse();

async function change(email: string, changes: Partial<User>): Promise<void> {
  const user = (await find(email))!;
  await server.cradle.accessStore.updateUser(user.id, { ...changes, updated_at: user.updated_at });
}

async function whoIs({ body }: Reply): Promise<string | undefined> {
  return (await server.cradle.accessService.callerByToken(body.access_token))?.email;
}

const REFUSED = { status: 401, body: { detail: 'user name, password or key is not valid', code: 'login_refused' } };

/** Of an ECDSA signature (r, s), (r, n - s) is one as well. */
function withOtherSignature(token: string): string {
  const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [header, payload, signature] = token.split('.');
  const bytes = Buffer.from(signature!, 'base64url');
  const s = P256_ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return [header, payload, other.toString('base64url')].join('.');
}

describe('a social login', () => {
  it.each(['/v2/login/social', '/login/social'])('at %s answers a token and a cookie', async (path) => {
    const reply = await send('okta', await issuer.token(proven('ann@example.org')), path);
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String), token_type: 'bearer' } });
    expect(reply.headers.get('set-cookie')).toMatch(
      /^refresh_token=tsr_\w{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/,
    );
    expect(await whoIs(reply)).toBe('ann@example.org');
    const cookie = reply.headers.get('set-cookie')!.split(';', 1)[0]!;
    expect((await server.request('POST', '/refresh_token', undefined, { headers: { cookie } })).status).toBe(200);
  });

  it.each<[string, () => Promise<Reply>, number, string]>([
    ['a provider that is not set up', async () => send('github', await issuer.token()), 400, 'provider_not_configured'],
    ['a provider that nobody knows', async () => send('gitlab', await issuer.token()), 422, 'request_invalid'],
    ['no provider', async () => send(undefined, await issuer.token()), 422, 'request_invalid'],
    ['no token', () => send('okta', undefined), 422, 'request_invalid'],
    ['an empty token', () => send('okta', ''), 422, 'request_invalid'],
    ['a token that is no text', () => send('okta', { a: 1 }), 422, 'request_invalid'],
    ['garbage', () => send('okta', 'garbage'), 401, 'login_refused'],
    ['a long token', () => send('okta', 'x'.repeat(20_000)), 401, 'login_refused'],
    ['a token of six megabytes', () => send('okta', 'x'.repeat(6_000_000)), 413, 'body_too_large'],
  ])('with %s is refused', async (_what, attempt, status, code) => {
    const reply = await attempt();
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    if (status !== 422) expect(reply.body.detail).toEqual(expect.any(String));
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it('does not show the token in answers and logs', async () => {
    const bad = `${await issuer.token()}x`;
    const replies = [await send('okta', bad), await send('gitlab', bad), await send('okta', [bad])];
    const audit = await server.cradle.auditStore.list({}, { offset: 0, limit: 100 });
    expect(JSON.stringify([replies.map(({ body }) => body), server.logged, audit])).not.toContain(bad.slice(-30));
  });

  it('is 503 while the keys were never to be had', async () => {
    const down = await SocialIssuer.start(issuer.key);
    const token = await down.token();
    const other = await startTestServer({ socialProviders: { okta: down.provider() } });
    await down.stop();
    const reply = await other.request('POST', '/v2/login/social', { provider: 'okta', id_token: token });
    await other.close();
    expect(reply).toMatchObject({ status: 503, body: { code: 'identity_provider_unavailable', detail: expect.any(String) } });
    expect(reply.headers.get('retry-after')).toBe('5');
  });

  it('may use the same token many times, as clients do', async () => {
    const token = await issuer.token(proven('ann@example.org'));
    const replies = await Promise.all(Array.from({ length: 17 }, () => send('okta', token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(17).fill(200));
    expect(await count()).toBe(2);
  });

  it('takes a token once where the provider is set so', async () => {
    const token = await google(proven('ann@example.com'));
    const replies = await Promise.all([send('google', token), send('google', token)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await send('google', token)).toMatchObject(REFUSED);
    expect(await send('google', await google(proven('ann@example.com', { jti: 'another' })))).toMatchObject({ status: 200 });
  });

  it('knows a used token again when its signature was rewritten into another good one', async () => {
    const other = await SocialIssuer.start(await signingKey('key-1', 'ES256'));
    const lenient = { jwks: { keys: [other.key.publicJwk] }, sign_up_domains: [] };
    const strict = { ...lenient, issuer: 'https://custom.example', single_use: true };
    const socialProviders = { okta: other.provider(lenient), custom: other.provider(strict) };
    const its = await startTestServer({ socialProviders });
    const token = await other.token(proven('ann@example.org'));
    const once = await other.token(proven('ann@example.org', { iss: 'https://custom.example' }));
    const status = async (provider: string, id_token: string) =>
      (await its.request('POST', '/v2/login/social', { provider, id_token })).status;
    expect([await status('okta', withOtherSignature(token)), await status('okta', token)]).toEqual([200, 200]);
    expect([await status('custom', once), await status('custom', withOtherSignature(once))]).toEqual([200, 401]);
    await Promise.all([its.close(), other.stop()]);
  });

  it('still refuses a used token when what has expired was removed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = await google(proven('ann@example.com'));
    expect((await send('google', token)).status).toBe(200);
    vi.setSystemTime(Date.now() + 650_000);
    await server.cradle.loginService.tidy();
    expect(await send('google', token)).toMatchObject(REFUSED);
  });
});

describe('an identity', () => {
  it('is known again by issuer and subject, whatever became of the address', async () => {
    await okta(proven('ann@example.org', { sub: 'ann' }));
    for (const claims of [proven('ann.new@example.org'), proven(ADMIN_EMAIL), { email_verified: false }, {}])
      expect(await whoIs(await okta({ ...claims, sub: 'ann' }))).toBe('ann@example.org');
    expect(await count()).toBe(2);
  });

  it('of another issuer is another one, under the same subject', async () => {
    await okta(proven('ann@example.org', { sub: 'one' }));
    const reply = await send('google', await google(proven('bob@example.com', { sub: 'one' })));
    expect(await whoIs(reply)).toBe('bob@example.com');
  });

  it('of a user that is disabled is refused', async () => {
    await okta(proven('ann@example.org'));
    await change('ann@example.org', { is_disabled: true });
    expect(await okta(proven('ann@example.org'))).toMatchObject(REFUSED);
    expect(await count()).toBe(2);
  });
});

describe('an unknown identity', () => {
  it('is linked to the user with the same proven address, and stays theirs', async () => {
    const reply = await okta(proven(` ${ADMIN_EMAIL.toUpperCase()}`, { sub: 'boss' }));
    expect(await whoIs(reply)).toBe(ADMIN_EMAIL);
    expect(await find(ADMIN_EMAIL)).toMatchObject({ role: 'admin', auth_method: 'email', password_hash: expect.any(String) });
    expect(await actions()).toEqual(['user.bootstrap', 'user.link_identity', 'login.social']);
    expect(await whoIs(await okta({ sub: 'boss' }))).toBe(ADMIN_EMAIL);
    expect(await actions()).toEqual(['user.bootstrap', 'user.link_identity', 'login.social', 'login.social']);
  });

  it.each<[string, JWTPayload]>([
    ['says nothing of its address', { email: ADMIN_EMAIL }],
    ['says that its address is not verified', { email: ADMIN_EMAIL, email_verified: false }],
    ['says so as a text', { email: ADMIN_EMAIL, email_verified: 'true' }],
    ['has no address', { email_verified: true }],
    ['has something else as address', { email: [ADMIN_EMAIL], email_verified: true }],
    ['has two addresses in one', { email: `${ADMIN_EMAIL},eve@example.org`, email_verified: true }],
  ])('that %s is neither linked nor anybody', async (_what, claims) => {
    expect(await okta({ ...claims, sub: 'stranger' })).toMatchObject(REFUSED);
    expect(await okta({ sub: 'stranger' })).toMatchObject(REFUSED);
    expect(await count()).toBe(1);
  });

  it.each<[string, Partial<User>]>([
    ['has not proven the address', { email_is_verified: false }],
    ['is disabled', { is_disabled: true }],
  ])('is not linked to a user who %s', async (_what, changes) => {
    await change(ADMIN_EMAIL, changes);
    expect(await okta(proven(ADMIN_EMAIL, { sub: 'stranger' }))).toMatchObject(REFUSED);
    await change(ADMIN_EMAIL, { email_is_verified: true, is_disabled: false });
    expect(await okta({ sub: 'stranger' })).toMatchObject(REFUSED);
  });

  it('becomes a new user where its domain may sign up', async () => {
    const names = { given_name: 'Ann', family_name: 'x'.repeat(300) };
    await okta(proven('Ann@Example.org', { sub: 'ann', ...names }));
    const ann = (await find('ann@example.org'))!;
    expect(ann).toMatchObject({
      role: 'user',
      auth_method: 'okta',
      password_hash: null,
      email_is_verified: true,
      first_name: 'Ann',
    });
    expect(ann.last_name).toHaveLength(255);
    const [login, signUp] = await server.cradle.auditStore.list({}, { offset: 0, limit: 2 });
    const who = { actor_id: ann.id, actor_email: ann.email, scheme: 'social', object_id: ann.id };
    expect(signUp).toMatchObject({ ...who, action: 'user.sign_up', details: { provider: 'okta', issuer: issuer.issuer } });
    expect(login).toMatchObject({ ...who, action: 'login.social', details: { provider: 'okta' } });
  });

  it('becomes one user, however often it logs in at once', async () => {
    const claims = proven('ann@example.org', { sub: randomUUID() });
    const replies = await Promise.all(Array.from({ length: 10 }, () => okta(claims)));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await count()).toBe(2);
  });

  it.each(['eve@example.com', 'eve@sub.example.org', 'eve@example.org.evil.com', 'eve@notexample.org'])(
    'with the address %s is nobody where that domain may not sign up',
    async (email) => {
      expect(await okta(proven(email))).toMatchObject(REFUSED);
      expect(await count()).toBe(1);
    },
  );

  it('is nobody where no domain may sign up, and somebody where all may', async () => {
    const custom = await issuer.token(proven('ann@example.org', { iss: 'https://custom.example' }));
    expect(await send('custom', custom)).toMatchObject(REFUSED);
    expect((await send('google', await google(proven('ann@anywhere.example')))).status).toBe(200);
  });

  it('of somebody who came by social login has no password to guess', async () => {
    await okta(proven('ann@example.org'));
    for (const password of ['null', 'undefined', ' ']) {
      const raw = new URLSearchParams({ username: 'ann@example.org', password });
      expect((await server.request('POST', '/login', undefined, { raw })).status).toBe(401);
    }
  });
});
