import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainUser } from '../setup/plain-user.ts';
import { ADMIN, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = (await server.request('POST', '/v2/login/api_key', { api_key: ADMIN.api_key })).body.access_token;
});
afterAll(() => server.close());

const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** With these headers and no others. */
async function bare(method: string, path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(server.url + path, { method, headers });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === '' ? undefined : JSON.parse(text) };
}

describe('credentials', () => {
  it.each<[string, () => Record<string, string>]>([
    ['a key', () => ({ 'Service-API-Key': ADMIN.api_key })],
    ['a token', () => ({ authorization: `Bearer ${token}` })],
    ['a token, spelled in lower case', () => ({ authorization: `bearer ${token}` })],
    ['e-mail and password', () => ({ authorization: basic(ADMIN.email, ADMIN.password) })],
    ['a key as a token', () => ({ authorization: `Bearer ${ADMIN.api_key}` })],
    ['a key and a token of the same user', () => ({ 'service-api-key': ADMIN.api_key, authorization: `Bearer ${token}` })],
    ['a token and an empty cookie', () => ({ authorization: `Bearer ${token}`, cookie: '' })],
  ])('by %s are accepted', async (_what, headers) => {
    expect((await bare('GET', '/v2/projects', headers())).status).toBe(200);
  });

  it.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['a wrong key', () => ({ 'service-api-key': `${ADMIN.api_key}x` })],
    ['an empty key', () => ({ 'service-api-key': '' })],
    ['a wrong password', () => ({ authorization: basic(ADMIN.email, 'wrong') })],
    ['an unknown user', () => ({ authorization: basic('nobody@example.org', ADMIN.password) })],
    ['a broken pair', () => ({ authorization: `Basic ${Buffer.from('no colon').toString('base64')}` })],
    ['a garbled pair', () => ({ authorization: 'Basic %%%' })],
    ['a broken token', () => ({ authorization: `Bearer ${token.slice(0, -3)}abc` })],
    ['a token without a signature', () => ({ authorization: `Bearer ${token.split('.').slice(0, 2).join('.')}.` })],
    ['a key with a letter more as a token', () => ({ authorization: `Bearer ${ADMIN.api_key}x` })],
    ['an unknown scheme', () => ({ authorization: `Digest ${token}` })],
    ['a scheme alone', () => ({ authorization: 'Bearer' })],
    ['two tokens', () => ({ authorization: `Bearer ${token} ${token}` })],
    ['a good key and a bad token', () => ({ 'service-api-key': ADMIN.api_key, authorization: 'Bearer x' })],
    ['a bad key and a good token', () => ({ 'service-api-key': 'x', authorization: `Bearer ${token}` })],
    ['a header as long as can be', () => ({ authorization: `Bearer ${'x'.repeat(9_000)}` })],
  ])('by %s are refused', async (_what, headers) => {
    const reply = await bare('GET', '/v2/projects', headers());
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({
      detail: expect.any(String),
      code: expect.stringMatching(/^credentials_/),
      request_id: expect.any(String),
    });
    expect(reply.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('of two users at once are refused', async () => {
    const { accessStore, passwordHasher } = server.cradle;
    const password_hash = await passwordHasher.hash('another password');
    await accessStore.insertUser(plainUser({ email: 'eve@example.org', password_hash }));
    const eve = basic('eve@example.org', 'another password');
    expect((await bare('GET', '/v2/projects', { authorization: eve })).status).toBe(200);
    expect((await bare('GET', '/v2/projects', { authorization: eve, 'service-api-key': ADMIN.api_key })).status).toBe(401);
  });

  it('in the query are refused, also beside good ones', async () => {
    expect((await bare('GET', `/v2/projects?access_token=${token}`)).status).toBe(401);
    expect((await bare('GET', `/v2/projects?access_token=${token}`, { 'service-api-key': ADMIN.api_key })).status).toBe(401);
  });

  it('never show up in what is logged', async () => {
    const secrets = [
      ADMIN.api_key,
      ADMIN.password,
      token,
      basic(ADMIN.email, ADMIN.password),
      'hunter2-in-a-query',
      'secret-in-a-body',
    ];
    await bare('GET', '/v2/projects?access_token=hunter2-in-a-query', { authorization: basic(ADMIN.email, ADMIN.password) });
    await server.request('POST', '/v2/login', undefined, {
      raw: new URLSearchParams({ username: ADMIN.email, password: 'secret-in-a-body' }),
    });
    await server.request('POST', '/v2/login/api_key', { api_key: ['secret-in-a-body'] });
    await server.request('POST', '/v2/projects', { name: { token: 'secret-in-a-body' } });
    const logged = server.logged.join('\n');
    expect(logged).toContain('/v2/projects');
    for (const secret of secrets) expect(logged).not.toContain(secret);
  });
});

const id = '11111111-1111-4111-8111-111111111111';

describe('paths and methods', () => {
  it.each<[string, string, string]>([
    ['PUT', `/v2/projects/${id}/traces`, 'POST'],
    ['GET', `/v2/projects/${id}/traces`, 'POST'],
    ['DELETE', `/v2/projects/${id}/traces/${id}`, 'GET, PATCH'],
    ['POST', `/v2/projects/${id}/spans/${id}`, 'GET, PATCH'],
    ['GET', `/v2/projects/${id}/traces/count`, 'POST'],
    ['PATCH', `/projects/${id}/spans/search`, 'POST'],
    ['PUT', `/v2/scorers/${id}`, 'DELETE, GET, PATCH'],
    ['DELETE', '/v2/scorers', 'POST'],
    ['GET', '/v2/scorers/list', 'POST'],
    ['PATCH', `/v2/scorers/${id}/version/code`, 'GET, POST'],
    ['POST', `/v2/projects/${id}/log_streams/${id}/metric_settings`, 'GET, PATCH'],
  ])('%s %s is not allowed, but %s is', async (method, path, allowed) => {
    const reply = await server.request(method, path);
    expect(reply).toMatchObject({ status: 405, body: { detail: expect.any(String), code: 'method_not_allowed' } });
    expect(reply.headers.get('allow')).toBe(allowed);
    expect((await bare(method, path)).status).toBe(401);
  });

  it.each([
    '/v2/nothing',
    '/v2',
    '/',
    '/v2/projects/x/y/z',
    `/v2/projects/${id}/traces/${id}/spans`,
    '/v3/projects',
    '/..%2f..%2fetc/passwd',
  ])('%s is not there', async (path) => {
    const reply = await server.request('GET', path);
    expect(reply).toMatchObject({
      status: 404,
      body: { detail: expect.any(String), code: 'path_not_found', request_id: expect.any(String) },
    });
  });

  it.each([
    '%00',
    'a%00b',
    '%',
    '%zz',
    '%c3%28',
    '%ff',
    '..%2f',
    "'--",
    '__proto__',
    `{${id}}`,
    id.replaceAll('-', ''),
    '%20',
    '\u{1f99c}',
    'x'.repeat(2_000),
  ])('the id %s is refused wherever an id is expected', async (bad) => {
    const paths = [
      ['GET', `/v2/projects/${id}/traces/${bad}`],
      ['PATCH', `/v2/projects/${id}/spans/${bad}`],
      ['POST', `/v2/projects/${bad}/traces`],
      ['POST', `/projects/${bad}/spans/search`],
      ['GET', `/v2/scorers/${bad}`],
      ['GET', `/v2/scorers/${bad}/version/code`],
      ['GET', `/v2/projects/${id}/log_streams/${bad}/metric_settings`],
    ] as const;
    for (const [method, path] of paths) {
      const reply = await server.request(method, path, method === 'GET' ? undefined : {});
      expect([path, reply.status]).toEqual([path, 422]);
      expect(reply.body.detail[0].loc[0]).toBe('path');
    }
  });

  it('a query that means nothing is ignored', async () => {
    for (const query of ['project_id=x', 'a[b]=c', '__proto__[x]=1', '%00=%00', '%zz=%', 'x=1&x=2', '=']) {
      expect((await server.request('GET', `/v2/projects?${query}`)).status).toBe(200);
    }
  });
});

describe('every reply', () => {
  it.each<[string, string, number]>([
    ['GET', '/v2/projects', 200],
    ['GET', '/healthz', 200],
    ['GET', '/v2/nothing', 404],
    ['PUT', '/v2/scorers', 405],
    ['POST', '/v2/scorers', 422],
    ['GET', '/v2/projects/%zz', 422],
  ])('to %s %s says what it is and no more', async (method, path, status) => {
    const { headers, ...reply } = await server.request(method, path);
    expect(reply.status).toBe(status);
    expect(headers.get('content-type')).toMatch(/^application\/json; charset=utf-8$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect([headers.get('x-powered-by'), headers.get('etag'), headers.get('server')]).toEqual([null, null, null]);
    if (path.startsWith('/v2')) expect(headers.get('cache-control')).toBe('no-store');
    expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.ts|node_modules|select |stack/i);
  });

  it('carries the id of the request where it is a decent one', async () => {
    const given = await server.request('GET', '/v2/nothing', undefined, { headers: { 'x-request-id': 'trace:42.a-b_c' } });
    expect(given.headers.get('x-request-id')).toBe('trace:42.a-b_c');
    expect(given.body.request_id).toBe('trace:42.a-b_c');
    for (const indecent of ['a b', '<script>', 'x'.repeat(101)]) {
      const reply = await server.request('GET', '/v2/nothing', undefined, { headers: { 'x-request-id': indecent } });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('to HEAD is the one to GET without its body', async () => {
    expect(await bare('HEAD', '/v2/projects', { 'service-api-key': ADMIN.api_key })).toMatchObject({
      status: 200,
      body: undefined,
    });
  });

  it('to headers without end is 431, and the next request is served', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const big = request(`${server.url}/v2/projects`, { headers: { 'x-big': 'x'.repeat(20_000) } }, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      big.on('error', reject).end();
    });
    expect(status).toBe(431);
    expect((await server.request('GET', '/v2/projects')).status).toBe(200);
  });
});

it('nothing of all this was an internal error', () => {
  expect(server.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
