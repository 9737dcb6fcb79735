import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../core/kernel/errors.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
let isAway = false;
const away = new AppError('unavailable', 'database_unavailable', 'the database does not answer', { retryAfterSeconds: 1 });
beforeAll(async () => {
  server = await startTestServer({ failure: () => (isAway ? away : undefined) });
});
afterAll(() => server.close());

const getStatus = async (path: string, method = 'GET') => (await server.request(method, path)).status;

describe('a service that knows that its database cannot be had', () => {
  it('refuses at once what needs it, says when to come again, and takes requests again when it is back', async () => {
    isAway = true;
    const refused = await server.request('GET', '/v2/projects');
    expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await getStatus('/v2/projects/x/traces', 'POST')).toBe(503);
    expect(await getStatus('/metrics')).toBe(503);
    isAway = false;
    expect(await getStatus('/v2/projects')).toBe(200);
  });

  it('still says that it lives, and what its API is', async () => {
    isAway = true;
    expect([await getStatus('/healthz'), await getStatus('/v2/openapi.json')]).toEqual([200, 200]);
    isAway = false;
  });
});
