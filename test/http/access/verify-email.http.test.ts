import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { plainUser } from '../../setup/plain-user.ts';
import { ADMIN, type Reply, startTestServer, type TestServer } from '../harness.ts';
import { person, withKey } from '../people.ts';

const PASSWORD = 'a password of eight bytes and more';
const MINUTE = 60_000;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** Without credentials, except for a bearer where one is given. */
async function open(method: string, path: string, body?: unknown, token?: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(server.url + path, { method, headers, ...sent });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
}

const begin = (email: unknown, token?: string) => open('POST', '/v2/verify_email', { email }, token);
const complete = (code: unknown, token?: string) => open('POST', '/v2/verify_email/complete', { code }, token);
const login = (username: string) => server.request('POST', '/v2/login', { username, password: PASSWORD });
const refusal = (status: number, code: string) => ({ status, body: { code } });

async function tokenFor(email: string): Promise<string> {
  const reply = await begin(email);
  expect(reply.status).toBe(200);
  return reply.body.access_token;
}

async function codes(): Promise<string[]> {
  return (await server.mails()).map(({ text }) => /tsv_[0-9A-Za-z]+/.exec(text)![0]);
}

/** A user who has to prove their address; the mail of their creation is left out. */
async function unverified(): Promise<{ id: string; email: string }> {
  const password_hash = await server.cradle.passwordHasher.hash(PASSWORD);
  const made = plainUser({ password_hash, email_is_verified: false });
  await server.cradle.accessStore.insertUser(made);
  return made;
}

describe('asking for a verification', () => {
  it('returns a token and mails a code', async () => {
    const { email } = await unverified();
    const reply = await begin(email.toUpperCase());
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.stringMatching(/^ey/), token_type: 'bearer' } });
    const [mail] = await server.mails();
    expect(mail).toMatchObject({ to: email, subject: expect.stringContaining('e-mail') });
    expect(mail!.text).toMatch(/^ {2}tsv_[0-9A-Za-z]{43}$/m);
    expect(mail!.text).toContain('/v2/verify_email/complete');
  });

  it('returns alike for addresses that are unknown, verified already, or of disabled users, and mails them nothing', async () => {
    const disabled = await unverified();
    await server.request('PATCH', `/v2/users/${disabled.id}`, { is_disabled: true });
    const known = await begin((await unverified()).email);
    const form = ({ status, headers, body }: Reply) => ({ status, names: [...headers.keys()], fields: Object.keys(body) });
    for (const email of ['nobody@example.org', ADMIN.email, disabled.email])
      expect(form(await begin(email))).toEqual(form(known));
    expect(await server.mails()).toHaveLength(1);
  });

  it('does not wait for the mail', async () => {
    const { email } = await unverified();
    const { mailer } = server.cradle;
    const hanging = Promise.withResolvers<void>();
    const sending = vi.spyOn(mailer, 'send').mockReturnValue(hanging.promise);
    expect((await begin(email)).status).toBe(200);
    hanging.resolve();
    await server.mails();
    expect(sending).toHaveBeenCalledOnce();
  });

  it('logs a mail that fails, and tells nobody', async () => {
    const { email } = await unverified();
    const failure = new Error('the mail server is gone');
    vi.spyOn(server.cradle.mailer, 'send').mockRejectedValue(failure);
    expect((await begin(email)).status).toBe(200);
    await server.mails();
    const line = server.logged.find((text) => text.includes('a verification mail was not sent'));
    expect(line).toContain(failure.message);
    expect(line).not.toContain(email);
  });

  it('refuses what is no address', async () => {
    for (const email of ['ada', '', null, ['a@example.org'], 'a@example.org\r\nBcc: b@example.org'])
      expect((await begin(email)).status).toBe(422);
  });

  it('gives who is logged in as that very user their token back', async () => {
    const { email } = await server.cradle.accessStore.findUserByEmail(ADMIN.email).then((user) => user!);
    const { access_token } = (await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).body;
    expect((await begin(email, access_token)).body.access_token).toBe(access_token);
    expect((await open('GET', '/v2/current_user', undefined, access_token)).status).toBe(200);
  });

  it('gives a token for verification to who is logged in as somebody else, or not at all', async () => {
    const { access_token } = (await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).body;
    const other = await person(server);
    for (const bearer of [access_token, 'x', `${access_token}x`]) {
      const { body } = await begin(other.email, bearer);
      expect((await open('GET', '/v2/current_user', undefined, body.access_token)).status).toBe(401);
    }
  });

  it('mails an address no more than five times an hour, and says so alike for unknown ones', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { email } = await unverified();
    for (const address of [email, 'nobody@example.org']) {
      for (let count = 0; count < 5; count += 1) expect((await begin(address)).status).toBe(200);
      const reply = await begin(address);
      expect(reply).toMatchObject(refusal(429, 'rate_limited'));
      expect(Number(reply.headers.get('retry-after'))).toBe(3600);
    }
    expect(await server.mails()).toHaveLength(5);
    vi.setSystemTime(Date.now() + 60 * MINUTE);
    expect((await begin(email)).status).toBe(200);
    expect(await server.mails()).toHaveLength(6);
  });

  it('returns a network no more than sixty times an hour, whatever the addresses', async () => {
    const addresses = Array.from({ length: 60 }, (_, index) => `user${index}@example.org`);
    const replies = await Promise.all(addresses.map((email) => begin(email)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { email } = await unverified();
    expect(await begin(email)).toMatchObject(refusal(429, 'rate_limited'));
    expect(await server.mails()).toEqual([]);
  });

  it('gives who is logged in their token back also where a network has asked too often', async () => {
    for (let count = 0; count < 60; count += 1) await begin(`user${count}@example.org`);
    const { access_token } = (await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).body;
    expect((await begin(ADMIN.email, access_token)).body.access_token).toBe(access_token);
  });

  it('keeps addresses and codes out of the counters and the store', async () => {
    const { email } = await unverified();
    const { loginStore } = server.cradle;
    const counted = vi.spyOn(loginStore, 'countAttempt');
    const inserted = vi.spyOn(loginStore, 'insertCode');
    await begin(email);
    const [code] = await codes();
    expect(counted.mock.calls).toHaveLength(3);
    expect(JSON.stringify(counted.mock.calls)).not.toContain(email);
    expect(JSON.stringify(inserted.mock.calls)).toContain(server.cradle.secrets.digest(code!));
    expect(JSON.stringify([inserted.mock.calls, server.logged])).not.toContain(code);
  });
});

describe('completing a verification', () => {
  it('needs the token and the code of one address, and lets the user log in', async () => {
    const { id, email } = await unverified();
    expect((await login(email)).status).toBe(401);
    const token = await tokenFor(email);
    const [code] = await codes();
    expect(await complete(code, token)).toMatchObject({
      status: 200,
      body: { message: expect.any(String), email_is_verified: true },
    });
    expect((await login(email)).status).toBe(200);
    expect((await server.request('GET', `/v2/users/${id}`)).body.email_is_verified).toBe(true);
    const [entry] = await server.cradle.auditStore.list({ object_id: id, action: 'email.verified' }, { offset: 0, limit: 10 });
    expect(entry).toMatchObject({
      action: 'email.verified',
      actor_id: id,
      actor_email: email,
      address: expect.any(String),
      details: {},
    });
  });

  it('may be repeated with the same pair, and is noted once', async () => {
    const { id, email } = await unverified();
    const token = await tokenFor(email);
    const [code] = await codes();
    for (let count = 0; count < 3; count += 1) expect((await complete(code, token)).status).toBe(200);
    expect(await server.cradle.auditStore.list({ object_id: id }, { offset: 0, limit: 10 })).toHaveLength(1);
  });

  it('works with the code that was mailed when the user was created', async () => {
    const created = await server.request('POST', '/v2/users', { email: 'ada@example.org', email_is_verified: false });
    const [code] = await codes();
    expect((await complete(code, await tokenFor('ada@example.org'))).status).toBe(200);
    expect((await server.request('GET', `/v2/users/${created.body.id}`)).body.email_is_verified).toBe(true);
  });

  it('takes any of several codes', async () => {
    const { email } = await unverified();
    const token = await tokenFor(email);
    await tokenFor(email);
    const [first] = await codes();
    expect((await complete(first, token)).status).toBe(200);
  });

  it('refuses without a token', async () => {
    expect(await complete('tsv_x')).toMatchObject(refusal(401, 'credentials_missing'));
  });

  it('refuses tokens that are not for verification', async () => {
    const { email } = await unverified();
    await tokenFor(email);
    const [code] = await codes();
    const { access_token } = (await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).body;
    for (const token of ['x', access_token, ADMIN.api_key])
      expect(await complete(code, token)).toMatchObject(refusal(401, 'verification_refused'));
    expect((await login(email)).status).toBe(401);
  });

  it('refuses the code of another address, which is used up then', async () => {
    const [mine, theirs] = [await unverified(), await unverified()];
    const theirToken = await tokenFor(theirs.email);
    const [theirCode] = await codes();
    expect(await complete(theirCode, await tokenFor(mine.email))).toMatchObject(refusal(401, 'verification_refused'));
    expect(await complete(theirCode, theirToken)).toMatchObject(refusal(401, 'verification_refused'));
    expect((await login(mine.email)).status).toBe(401);
    expect((await login(theirs.email)).status).toBe(401);
  });

  it('refuses a code after fifteen minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { email } = await unverified();
    await tokenFor(email);
    const [code] = await codes();
    vi.setSystemTime(Date.now() + 15 * MINUTE);
    expect(await complete(code, await tokenFor(email))).toMatchObject(refusal(401, 'verification_refused'));
    expect((await login(email)).status).toBe(401);
  });

  it('refuses a token after its time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { email } = await unverified();
    const token = await tokenFor(email);
    vi.setSystemTime(Date.now() + 17 * MINUTE);
    await tokenFor(email);
    const fresh = (await codes())[1];
    expect(await complete(fresh, token)).toMatchObject(refusal(401, 'verification_refused'));
    expect((await login(email)).status).toBe(401);
  });

  it('refuses a code that was sent before the address changed', async () => {
    const { id, email } = await unverified();
    const token = await tokenFor(email);
    const [code] = await codes();
    await server.request('PATCH', `/v2/users/${id}`, { email: 'other@example.org' });
    expect(await complete(code, token)).toMatchObject(refusal(401, 'verification_refused'));
    expect(await complete(code, await tokenFor('other@example.org'))).toMatchObject(refusal(401, 'verification_refused'));
    await server.request('PATCH', `/v2/users/${id}`, { email });
    expect(await complete(code, token)).toMatchObject(refusal(401, 'verification_refused'));
  });

  it('refuses the code of a user who was disabled or deleted meanwhile', async () => {
    const [disabled, deleted] = [await unverified(), await unverified()];
    const tokens = [await tokenFor(disabled.email), await tokenFor(deleted.email)];
    const [one, two] = await codes();
    await server.request('PATCH', `/v2/users/${disabled.id}`, { is_disabled: true });
    await server.request('DELETE', `/v2/users/${deleted.id}`);
    expect(await complete(one, tokens[0])).toMatchObject(refusal(401, 'verification_refused'));
    expect(await complete(two, tokens[1])).toMatchObject(refusal(401, 'verification_refused'));
  });

  it('lets a network be wrong ten times, then makes wrong codes wait and never the right one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [tried, other] = [await unverified(), await unverified()];
    const token = await tokenFor(tried.email);
    const [code] = await codes();
    for (let count = 0; count < 10; count += 1) expect((await complete(`tsv_wrong${count}`, token)).status).toBe(401);
    const reply = await complete('tsv_wrong', token);
    expect(reply).toMatchObject(refusal(429, 'rate_limited'));
    expect(Number(reply.headers.get('retry-after'))).toBe(900);
    expect((await complete(code, token)).status).toBe(200);
    const otherToken = await tokenFor(other.email);
    expect(await complete('tsv_wrong', otherToken)).toMatchObject(refusal(429, 'rate_limited'));
    expect((await complete((await codes())[1], otherToken)).status).toBe(200);
    vi.setSystemTime(Date.now() + 15 * MINUTE);
    const again = await tokenFor(other.email);
    expect(await complete('tsv_wrong', again)).toMatchObject(refusal(401, 'verification_refused'));
  });
});

describe('the token for a verification', () => {
  it('opens nothing else, not even to a user whose address is verified', async () => {
    const verified = await person(server);
    const token = await tokenFor(verified.email);
    for (const [method, path, body] of [
      ['GET', '/v2/current_user', undefined],
      ['GET', '/v2/users', undefined],
      ['POST', '/v2/users/api_keys', { description: 'x' }],
      ['PATCH', `/v2/users/${verified.id}`, { first_name: 'x' }],
      ['GET', '/v2/projects', undefined],
      ['POST', '/v2/projects', { name: 'x' }],
      ['GET', '/metrics', undefined],
    ] as const)
      expect((await open(method, path, body, token)).status).toBe(401);
  });

  it('is not taken beside a good key either', async () => {
    const verified = await person(server);
    const headers = { authorization: `Bearer ${await tokenFor(verified.email)}` };
    const key = await withKey(server, verified);
    const reply = await server.request('GET', '/v2/current_user', undefined, {
      headers: { ...headers, 'service-api-key': key.api_key },
    });
    expect(reply.status).toBe(401);
  });
});
