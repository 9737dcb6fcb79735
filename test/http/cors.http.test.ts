import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer } from './harness.ts';

const PAGE = 'https://app.example.org';
const KEY = { 'service-api-key': ADMIN.api_key };
const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type,service-api-key' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ corsOrigins: [PAGE, 'http://127.0.0.1:5555'] });
});
afterAll(() => server.close());

const call = (
  path: string,
  origin: string | undefined,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) => fetch(`${server.url}${path}`, { ...init, headers: { ...(origin && { origin }), ...init.headers } });
const corsHeaders = (res: Response): string[] => [...res.headers.keys()].filter((name) => name.startsWith('access-control-'));
const refresh = (headers: Record<string, string>) => fetch(`${server.url}/v2/refresh_token`, { method: 'POST', headers });

describe('pages of other origins', () => {
  it.each(['/v2/projects', '/v1/traces', '/otel/v1/traces', '/v1/logs'])('may call %s where they are allowed', async (path) => {
    const asked = await call(path, PAGE, { method: 'OPTIONS', headers: PREFLIGHT });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(asked.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(asked.headers.get('access-control-allow-headers')!.split(', ')).toEqual(
      expect.arrayContaining(['service-api-key', 'authorization', 'content-type', 'idempotency-key', 'project', 'logstream']),
    );
    expect(Number(asked.headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
    expect(asked.headers.get('vary')).toContain('Origin');
    expect(corsHeaders(asked)).not.toContain('access-control-allow-credentials');
  });

  it('read replies and refusals alike, with the headers that clients go by', async () => {
    const read = await call('/v2/current_user', PAGE, { headers: KEY });
    expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
    const refused = await call('/v2/current_user', PAGE);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    const missing = await call('/v2/no-such-path', 'http://127.0.0.1:5555', { headers: KEY });
    expect([missing.status, missing.headers.get('access-control-allow-origin')]).toEqual([404, 'http://127.0.0.1:5555']);
    expect(corsHeaders(read)).not.toContain('access-control-allow-credentials');
  });

  it.each([
    ...[
      'https://app.example.org.evil.example',
      'http://app.example.org',
      'https://app.example.org:444',
      'https://APP.example.org',
    ],
    ...['https://sub.app.example.org', 'null', '*', 'https://app.example.org/', 'https://app.example.org, https://evil.example'],
  ])('get no header as %s', async (origin) => {
    for (const init of [{ headers: KEY }, { method: 'OPTIONS', headers: PREFLIGHT }]) {
      const res = await call('/v2/projects', origin, init);
      expect(corsHeaders(res)).toEqual([]);
      // The same address has replies with the header: caches have to tell them apart.
      expect(res.headers.get('vary')).toContain('Origin');
    }
    expect((await call('/v2/projects', origin, { method: 'OPTIONS', headers: PREFLIGHT })).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ...['/', '/docs/', '/docs/guide/', '/metrics', '/readyz', '/mcp', '/scim/v2/Users', '/index.html'],
    ...['/v2/login', '/v2/LOGIN', '/v2/login/api_key', '/v2/login/social/code', '/v2/refresh_token', '/v2/logout', '/v2/logout/'],
  ])('get no header for %s, which is none of theirs', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const res = await call(path, PAGE, { method, headers: method === 'OPTIONS' ? PREFLIGHT : KEY });
      expect(corsHeaders(res)).toEqual([]);
      await res.arrayBuffer();
    }
  });

  it('cannot use the session of somebody who is signed in, of the same site neither', async () => {
    const login = await fetch(`${server.url}/v2/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: ADMIN.email, password: ADMIN.password }),
    });
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    for (const from of ['cross-site', 'same-site']) {
      const refused = await refresh({ cookie, origin: PAGE, 'sec-fetch-site': from });
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([401, 'refresh_missing']);
      expect(refused.headers.get('set-cookie')).toBeNull();
      expect(corsHeaders(refused)).toEqual([]);
      await fetch(`${server.url}/v2/logout`, { method: 'POST', headers: { cookie, origin: PAGE, 'sec-fetch-site': from } });
    }
    // Neither used up nor ended.
    expect((await refresh({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const read = await call('/v2/current_user', PAGE, { headers: { cookie } });
    expect(read.status).toBe(401);
  });
});

describe('without allowed origins', () => {
  it('no page of another origin gets a header', async () => {
    const other = await startTestServer();
    try {
      for (const init of [{ headers: KEY }, { method: 'OPTIONS', headers: PREFLIGHT }]) {
        const res = await fetch(`${other.url}/v2/projects`, { ...init, headers: { ...init.headers, origin: PAGE } });
        expect(corsHeaders(res)).toEqual([]);
        await res.arrayBuffer();
      }
    } finally {
      await other.close();
    }
  });
});
