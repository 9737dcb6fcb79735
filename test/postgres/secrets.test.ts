import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresService, startPostgresService } from '../setup/postgres-service.ts';
import { allRows, canaries } from './canaries.ts';

const { secrets, canary } = canaries();
/** All that the service answered, without the fields that are there to hand a secret over. */
const answered: string[] = [];

let service: PostgresService;
const keyHeader = (key: string) => ({ 'service-api-key': key });
const none = { 'service-api-key': '' };

interface Sent {
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Record<string, string>;
  /** Names of the fields of the reply that are the secret itself. */
  readonly handsOver?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
async function call(method: string, path: string, { body, raw, headers = {}, handsOver = [] }: Sent = {}): Promise<any> {
  const type = raw === undefined ? {} : { raw, headers: { 'content-type': 'application/json', ...headers } };
  const reply = await service.request(method, path, body, { headers, ...type });
  const rest = typeof reply.body === 'object' && reply.body !== null ? { ...reply.body } : reply.body;
  for (const field of handsOver) {
    secrets.set(`${field} of ${method} ${path}`, rest[field]);
    delete rest[field];
  }
  const kept = [...reply.headers].filter(([name]) => name !== 'set-cookie');
  const cookie = /refresh_token=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1];
  if (cookie) secrets.set(`refresh cookie of ${method} ${path} ${secrets.size}`, cookie);
  answered.push(JSON.stringify([reply.status, kept, rest]));
  return { ...reply.body, status: reply.status, cookie };
}

const users = '/v2/users';
const login = (username: string, password: string) =>
  call('POST', '/v2/login', { body: { username, password }, headers: none, handsOver: ['access_token'] });
const refusedLogin = (body: unknown) => call('POST', '/v2/login', { body, headers: none });
const basic = (email: string, password: string) => ({
  ...none,
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

beforeAll(async () => {
  service = await startPostgresService();
  await passwords();
  await keys();
  await codes();
  await mistakes();
  await look();
});
afterAll(() => service.close());

async function passwords(): Promise<void> {
  const [first, second] = [canary('password'), canary('changed password')];
  const ada = await call('POST', users, { body: { email: 'ada@example.org', password: first, role: 'user' } });
  await login('ada@example.org', first);
  await call('GET', '/v2/current_user', { headers: basic('ada@example.org', first) });
  const change = { password: second, current_password: first };
  await call('PATCH', `${users}/${ada.id}`, { body: change, headers: basic('ada@example.org', first) });
  await refusedLogin({ username: 'ada@example.org', password: canary('wrong password') });
  await refusedLogin({ username: 'nobody@example.org', password: canary('password of nobody') });
  await call('GET', '/v2/current_user', { headers: basic('ada@example.org', canary('wrong Basic password')) });
  const wrong = { password: second, current_password: canary('wrong current password') };
  await call('PATCH', `${users}/${ada.id}`, { body: wrong, headers: basic('ada@example.org', second) });
}

async function keys(): Promise<void> {
  const made = await call('POST', `${users}/api_keys`, { body: { description: 'a key' }, handsOver: ['api_key'] });
  await call('GET', '/v2/projects', { headers: keyHeader(made.api_key) });
  const { access_token, cookie } = await call('POST', '/v2/login/api_key', {
    body: { api_key: made.api_key },
    headers: none,
    handsOver: ['access_token'],
  });
  await call('GET', '/v2/projects', { headers: { ...none, authorization: `Bearer ${access_token}` } });
  const again = { headers: { ...none, cookie: `refresh_token=${cookie}` } };
  await call('POST', '/v2/refresh_token', { ...again, handsOver: ['access_token'] });
  await call('POST', '/v2/login/api_key', { body: { api_key: canary('wrong key') }, headers: none });
  await call('GET', '/v2/projects', { headers: keyHeader(canary('wrong key in the header')) });
  await call('GET', '/v2/projects', { headers: { ...none, authorization: `Bearer ${canary('wrong token')}` } });
  await call('GET', `/v2/projects?access_token=${canary('token in the query')}`, { headers: none });
  await call('POST', '/v2/refresh_token', { headers: { ...none, cookie: `refresh_token=${canary('wrong cookie')}` } });
}

async function codes(): Promise<void> {
  await call('POST', users, {
    body: { email: 'eve@example.org', password: canary('password of Eve'), email_is_verified: false },
  });
  const asked = { body: { email: 'eve@example.org' }, headers: none, handsOver: ['access_token'] };
  const { access_token } = await call('POST', '/v2/verify_email', asked);
  const mails = await service.mails();
  for (const [index, { text }] of mails.entries()) {
    for (const [code] of text.matchAll(/[\w-]{22,}/g)) secrets.set(`code of mail ${index} ${secrets.size}`, code);
  }
  const code = /"code":\s*"([^"]+)"/.exec(mails.at(-1)!.text)?.[1] ?? /([\w-]{22,})/.exec(mails.at(-1)!.text)?.[1];
  const bearing = { ...none, authorization: `Bearer ${access_token}` };
  await call('POST', '/v2/verify_email/complete', { body: { code: canary('wrong code') }, headers: bearing });
  await call('POST', '/v2/verify_email/complete', { body: { code }, headers: bearing });
  await call('POST', '/v2/login/social', { body: { provider: 'google', id_token: canary('id token') }, headers: none });
  await call('POST', '/v2/login/social', { body: { provider: 'bogus', id_token: canary('id token of nobody') }, headers: none });
}

/** Requests that are refused for their form, with a secret where an echo would show it. */
async function mistakes(): Promise<void> {
  await refusedLogin({ username: '', password: canary('password beside a bad name') });
  await refusedLogin({ username: 'a@example.org', password: [canary('password in a list')] });
  await refusedLogin({ username: 'a@example.org', password: { value: canary('password in an object') } });
  await call('POST', users, { body: { email: 'not an address', password: canary('password beside a bad address') } });
  await call('POST', users, { body: { email: 'b@example.org', password: `\0${canary('password with a NUL')}` } });
  await call('POST', users, { body: { email: 'b@example.org', password: canary('password far too long').repeat(100) } });
  await call('POST', '/v2/login', { raw: `{"username":"a","password":"${canary('password in broken JSON')}"`, headers: none });
  await call('POST', '/v2/login/api_key', { body: { api_key: { value: canary('key in an object') } }, headers: none });
  await call('POST', '/v2/login/social', { body: { provider: 7, id_token: [canary('id token in a list')] }, headers: none });
  await call('PUT', '/v2/login', { body: { password: canary('password for a wrong method') }, headers: none });
  await call('GET', '/v2/nowhere', { headers: { authorization: `Bearer ${canary('token for no path')}` } });
}

async function look(): Promise<void> {
  const { users: listed } = await call('GET', users);
  for (const { id } of listed) for (const path of [`${users}/${id}`, `${users}/${id}/api_keys`]) await call('GET', path);
  for (const path of ['/v2/audit_log?limit=1000', '/v2/current_user', '/v2/openapi.json', '/metrics']) await call('GET', path);
}

const foundIn = (text: string): string[] => [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => what);

describe(`passwords, keys, tokens, cookies and codes`, () => {
  it('were all handed in or out, so that there is something to find', () => {
    expect(secrets.size).toBeGreaterThan(30);
    for (const [what, secret] of secrets) expect(secret?.length, what).toBeGreaterThan(20);
  });

  it('are in no answer but the one that hands them over', () => {
    expect(answered.length).toBeGreaterThan(40);
    expect(foundIn(answered.join('\n'))).toEqual([]);
  });

  it('are in no line of the log', () => {
    expect(service.logged.length).toBeGreaterThan(40);
    expect(foundIn(service.logged.join('\n'))).toEqual([]);
  });

  it('are in no table of the database', async () => {
    const rows = await allRows(service.session);
    expect(rows).toContain('ada@example.org');
    expect(foundIn(rows)).toEqual([]);
  });

  it('would be found if one were there', async () => {
    const [secret] = secrets.values();
    await service.session.sql(`update projects set description = $1`, [secret]);
    await service.session.sql(`update users set first_name = $1 where email = 'ada@example.org'`, [secret]);
    expect(foundIn(await allRows(service.session))).toEqual(['password']);
  });
});
