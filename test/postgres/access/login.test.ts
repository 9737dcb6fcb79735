import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresAccessStore } from '../../../adapters/postgres/access/postgres-access-store.ts';
import { PostgresAuditStore } from '../../../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresLoginStore } from '../../../adapters/postgres/access/postgres-login-store.ts';
import { AesSecretBox } from '../../../adapters/security/aes-secret-box.ts';
import { Argon2Passwords } from '../../../adapters/security/argon2-passwords.ts';
import { JwtTokenIssuer } from '../../../adapters/security/jwt-token-issuer.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import { AuditTrail } from '../../../core/access/audit/audit-trail.ts';
import { CredentialCheck } from '../../../core/access/login/credential-check.ts';
import { DEFAULT_LOGIN_LIMITS, LoginLimiter } from '../../../core/access/login/login-limiter.ts';
import { LoginService } from '../../../core/access/login/login-service.ts';
import { RecentPrincipals } from '../../../core/access/login/recent-principals.ts';
import { SocialLogin } from '../../../core/access/login/social-login.ts';
import type { User } from '../../../core/access/users/user.ts';
import { CodeSignInService } from '../../../core/identity/code-sign-in-service.ts';
import { openIdentityProviders } from '../../setup/identity-providers.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { plainUser } from '../../setup/plain-user.ts';
import { SocialIssuer } from '../../setup/social-issuer.ts';

const PASSWORD = 'a good password of the tests';
let at = Date.parse('2026-03-01T12:00:00.000Z');
let issuer: SocialIssuer;
let database: MigratedDatabase;
let one: ReturnType<typeof instance>;
let other: ReturnType<typeof instance>;
beforeAll(async () => {
  issuer = await SocialIssuer.start();
  database = await openMigratedDatabase();
  [one, other] = [instance(), instance()];
});
afterAll(async () => {
  await issuer.stop();
  await database.close();
});

/** Logging in, on the database that all instances share. */
function instance() {
  const { session } = database;
  const parts = {
    accessStore: new PostgresAccessStore({ session }),
    loginStore: new PostgresLoginStore({ session }),
    auditStore: new PostgresAuditStore({ session }),
    transactions: session,
    passwordHasher: new Argon2Passwords(),
    secrets: new NodeSecrets(),
    clock: () => new Date(at),
    newId: () => randomUUID(),
  };
  const identityProviders = openIdentityProviders({
    socialProviders: {
      okta: issuer.provider({ sign_up_domains: [] }),
      custom: issuer.provider({ issuer: 'https://custom.example', single_use: true, sign_up_domains: [] }),
    },
  });
  const tokenIssuer = new JwtTokenIssuer(['a secret of the tests, long enough']);
  const recentPrincipals = new RecentPrincipals(parts);
  const deps = {
    ...parts,
    identityProviders,
    tokenIssuer,
    recentPrincipals,
    auditTrail: new AuditTrail(parts),
    loginLimits: DEFAULT_LOGIN_LIMITS,
  };
  const secretBox = new AesSecretBox(() => ['a key of the tests, which is long enough']);
  const login = new LoginService({
    ...deps,
    credentialCheck: new CredentialCheck(deps),
    loginLimiter: new LoginLimiter(deps),
    socialLogin: new SocialLogin(deps),
    codeSignIns: new CodeSignInService({ ...deps, secretBox, publicUrl: undefined }),
  });
  return { ...deps, login };
}

const origin = (address = '203.0.113.7') => ({ request_id: 'test', address });

async function user(): Promise<User> {
  const now = new Date(at).toISOString();
  const password_hash = await one.passwordHasher.hash(PASSWORD);
  const made = plainUser({ password_hash, created_at: now, updated_at: now });
  await one.accessStore.insertUser(made);
  return made;
}

describe('logging in on PostgreSQL', () => {
  it('rotates refresh tokens, and keeps what a refusal ends', async () => {
    const { email } = await user();
    const first = (await one.login.loginWithPassword(email, PASSWORD, origin())).refresh_token;
    const raced = await Promise.all([one, other, one].map(({ login }) => login.refresh(first)));
    expect(new Set(raced.map(({ refresh_token }) => refresh_token)).size).toBe(3);
    at += 11_000;
    const refused = { kind: 'unauthenticated', code: 'refresh_refused' };
    await expect(other.login.refresh(first)).rejects.toMatchObject(refused);
    for (const { refresh_token } of raced) await expect(one.login.refresh(refresh_token)).rejects.toMatchObject(refused);
  });

  it('lets none of many attempts at once, in all instances, go beyond the free ones', async () => {
    const { email } = await user();
    const attempts = Array.from({ length: 40 }, (_, n) =>
      (n % 2 ? one : other).login
        .loginWithPassword(email, `wrong ${n}`, origin('198.51.100.9'))
        .catch(({ code }) => code as string),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer === 'login_refused').length).toBeLessThanOrEqual(10);
  });

  it('ends a login in all instances, together with what is refreshed at that moment', async () => {
    const { email } = await user();
    const { access_token, refresh_token } = await one.login.loginWithPassword(email, PASSWORD, origin());
    const raced = await Promise.all([
      other.login.refresh(refresh_token).catch(() => undefined),
      one.login.logout({ access_token }),
      other.login.refresh(refresh_token).catch(() => undefined),
    ]);
    const claims = await one.tokenIssuer.verify(access_token);
    expect(await other.loginStore.isSessionEnded(claims!.session_id)).toBe(true);
    for (const tokens of [{ refresh_token }, raced[0], raced[2]])
      if (tokens) await expect(other.login.refresh(tokens.refresh_token)).rejects.toMatchObject({ code: 'refresh_refused' });
  });

  it('ends refresh tokens with the version of their user', async () => {
    const { id, email } = await user();
    const { refresh_token } = await one.login.loginWithPassword(email, PASSWORD, origin());
    await one.accessStore.endTokens(id);
    await expect(one.login.refresh(refresh_token)).rejects.toMatchObject({ code: 'refresh_refused' });
  });

  it('counts failures for all instances, and lets one attempt through after a delay', async () => {
    const { id, email } = await user();
    const attempt = ({ login }: typeof one, password: string, address = '198.51.100.1') =>
      login.loginWithPassword(email, password, origin(address)).then(
        () => 'in',
        ({ code }) => code as string,
      );
    for (let i = 0; i < 10; i += 1) expect(await attempt(i % 2 ? one : other, 'wrong')).toBe('login_refused');
    expect([await attempt(one, PASSWORD), await attempt(other, PASSWORD)]).toEqual(['login_limited', 'login_limited']);
    at += 2_000;
    const many = await Promise.all([one, other, one, other, one, other].map((by) => attempt(by, 'wrong')));
    expect(many.filter((answer) => answer === 'login_refused')).toHaveLength(1);
    at += 15 * 60_000;
    expect(await attempt(one, PASSWORD)).toBe('in');
    expect(await attempt(other, PASSWORD)).toBe('in');
    const lines = await one.auditStore.list({ action: 'login.limited', object_id: id }, { offset: 0, limit: 10 });
    expect(lines.length).toBeGreaterThan(1);
  });

  it('makes one user of an identity that logs in at once in all instances', async () => {
    const email = `${randomUUID()}@example.org`;
    const id_token = await issuer.token({ sub: randomUUID(), email, email_verified: true });
    const before = await one.accessStore.countUsers();
    const logins = [one, other, one, other, one, other].map(({ login }) => login.loginWithSocial('okta', id_token, origin()));
    await Promise.all(logins);
    expect(await one.accessStore.countUsers()).toBe(before + 1);
    expect(await one.accessStore.findUserByEmail(email)).toMatchObject({ auth_method: 'okta', password_hash: null });
  });

  it('takes a token for single use once, whichever instance sees it', async () => {
    const person = { sub: randomUUID(), email: `${randomUUID()}@example.org`, email_verified: true };
    const id_token = await issuer.token({ iss: 'https://custom.example', ...person });
    const logins = [one, other, one, other].map(({ login }) => login.loginWithSocial('custom', id_token, origin()));
    const settled = await Promise.allSettled(logins);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('removes what is of no use any more, and nothing else', async () => {
    const { email } = await user();
    const { refresh_token } = await one.login.loginWithPassword(email, PASSWORD, origin());
    await one.login.tidy();
    const next = await one.login.refresh(refresh_token);
    at += 31 * 24 * 3600_000;
    await one.login.tidy();
    const digest = one.secrets.digest(next.refresh_token);
    expect(await one.loginStore.useRefreshToken(digest, new Date(at).toISOString())).toBeUndefined();
    expect((await one.auditTrail.verify()).broken_at).toBeNull();
  });
});
