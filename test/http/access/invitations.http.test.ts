import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN, type Reply } from '../harness.ts';
import { PASSWORD, refusal, userFixture } from './user-fixture.ts';

const DAY = 86_400_000;
const fixture = userFixture();

beforeEach(() => vi.restoreAllMocks());
afterEach(() => vi.restoreAllMocks());

/** Without credentials. */
async function signUp(code: string, password = PASSWORD): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ code, password });
  const reply = await fetch(`${fixture.server.url}/v2/signup`, { method: 'POST', headers, body });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

const invite = (email: string, facts: object = {}) => fixture.admin('POST', '/v2/invite_users', { emails: [email], ...facts });
const askLink = (email: string) => fixture.admin('POST', `/v2/signup_link?user_email=${encodeURIComponent(email)}`);

async function codeFor(email: string): Promise<string> {
  const reply = await askLink(email);
  expect(reply.status).toBe(200);
  return reply.body.signup_link.split('/').at(-1);
}

async function invited(email = 'grace@example.org'): Promise<{ id: string; email: string }> {
  return (await invite(email)).body.users[0];
}

const later = (ms: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
};

describe('inviting users', () => {
  it('does not wait for the mail that proves the address', async () => {
    const hanging = Promise.withResolvers<void>();
    const sending = vi.spyOn(fixture.server.cradle.mailer, 'send').mockReturnValue(hanging.promise);
    expect((await invite('grace@example.org')).status).toBe(200);
    hanging.resolve();
    await fixture.server.mails();
    expect(sending).toHaveBeenCalledOnce();
  });

  it('leaves users who are there as they are, the role among it', async () => {
    const { id } = await invited();
    const again = await invite('grace@example.org', { role: 'admin', auth_method: 'google' });
    expect(again.body.users).toMatchObject([{ id, role: 'user', auth_method: 'email', email_is_verified: false }]);
  });

  it('makes nobody when a manager invites to a role that administrators give', async () => {
    await fixture.createUser({ email: 'boss@example.org', password: PASSWORD, role: 'manager' });
    const token = await fixture.getToken('boss@example.org');
    const asked = { emails: ['new@example.org'], role: 'admin' };
    expect(await fixture.withToken(token, 'POST', '/v2/invite_users', asked)).toMatchObject(refusal(403, 'role_too_low'));
    expect(await askLink('new@example.org')).toMatchObject(refusal(404, 'user_not_found'));
  });
});

describe('a sign-up link', () => {
  it('is good once, and of two links of one account used at once only one is good', async () => {
    await invited();
    const codes = [await codeFor('grace@example.org'), await codeFor('grace@example.org')];
    const replies = await Promise.all(codes.map((code) => signUp(code)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    for (const code of codes) expect(await signUp(code)).toMatchObject(refusal(401, 'signup_refused'));
  });

  it('is good for a week', async () => {
    const { id } = await invited();
    const code = await codeFor('grace@example.org');
    later(7 * DAY);
    expect(await signUp(code)).toMatchObject(refusal(401, 'signup_refused'));
    expect(await fixture.server.cradle.accessStore.findUser(id)).toMatchObject({ password_hash: null });
  });

  it('ends when the address changes, the user is disabled, or somebody sets a password', async () => {
    for (const change of [{ email: 'ada@example.org' }, { is_disabled: true }, { password: PASSWORD }]) {
      const { id, email } = await invited(`${Object.keys(change)[0]}@example.org`);
      const code = await codeFor(email);
      await fixture.admin('PATCH', `/v2/users/${id}`, change);
      expect(await signUp(code)).toMatchObject(refusal(401, 'signup_refused'));
    }
  });

  it('is not made for a disabled user', async () => {
    const { id, email } = await invited();
    await fixture.admin('PATCH', `/v2/users/${id}`, { is_disabled: true });
    expect(await askLink(email)).toMatchObject(refusal(409, 'user_disabled'));
  });

  it('is not made by anybody for their own account, which would make a password of a stolen session', async () => {
    await fixture.server.cradle.accessStore.updateUser(fixture.adminId, {
      password_hash: null,
      updated_at: new Date().toISOString(),
    });
    expect(await askLink(ADMIN.email)).toMatchObject(refusal(403, 'own_account_protected'));
  });

  it('is not made by managers for administrators', async () => {
    await invite('root@example.org', { role: 'admin' });
    await fixture.createUser({ email: 'boss@example.org', password: PASSWORD, role: 'manager' });
    const token = await fixture.getToken('boss@example.org');
    const reply = await fixture.withToken(token, 'POST', '/v2/signup_link?user_email=root@example.org');
    expect(reply).toMatchObject(refusal(403, 'role_too_low'));
  });

  it('is stored as a digest, and who made and used it stands in the audit log', async () => {
    const insert = vi.spyOn(fixture.server.cradle.loginStore, 'insertCode');
    const { id } = await invited();
    const code = await codeFor('grace@example.org');
    await signUp(code);
    expect(JSON.stringify(insert.mock.calls)).not.toContain(code);
    const actions = await fixture.toAudit(id);
    expect(actions.map(({ action, actor_id }) => [action, actor_id]).toSorted()).toEqual([
      ['user.create', fixture.adminId],
      ['user.signup', id],
      ['user.signup_link', fixture.adminId],
    ]);
    expect(JSON.stringify(actions)).not.toContain(code);
  });

  it('ends the sessions that the account had', async () => {
    const { id, email } = await invited();
    const { tokenIssuer } = fixture.server.cradle;
    const token = await tokenIssuer.issue({ user_id: id, token_version: 0, api_key_id: null });
    await signUp(await codeFor(email));
    expect((await fixture.withToken(token, 'GET', '/v2/current_user')).status).toBe(401);
    expect((await fixture.login(email, PASSWORD)).status).toBe(200);
  });
});

describe('wrong codes', () => {
  it('cost no hash and are limited by network, and keep no good code out', async () => {
    await invited();
    const code = await codeFor('grace@example.org');
    const hash = vi.spyOn(fixture.server.cradle.passwordHasher, 'hash');
    for (const at of Array(10).keys()) expect(await signUp(`tsi_${at}`)).toMatchObject(refusal(401, 'signup_refused'));
    const limited = await signUp(`${code}x`);
    expect(limited).toMatchObject(refusal(429, 'rate_limited'));
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(hash).not.toHaveBeenCalled();
    expect((await signUp(code)).status).toBe(200);
  });

  it('of another kind are refused: a mailed code proves an address and sets no password', async () => {
    await invited();
    const [mail] = await fixture.server.mails();
    const [mailed] = /tsv_[0-9A-Za-z]+/.exec(mail!.text)!;
    expect(await signUp(mailed)).toMatchObject(refusal(401, 'signup_refused'));
  });
});
