import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { type Reply, startTestServer, type TestServer } from '../harness.ts';

export const PASSWORD = 'a password of eight bytes and more';

export const refusal = (status: number, code: string) => ({ status, body: { code } });

/** A service of its own for each test, and what is done with users there. To be called at the top of a test file. */
export function userFixture() {
  let server: TestServer;
  let adminId: string;
  beforeEach(async () => {
    server = await startTestServer();
    adminId = (await admin('GET', '/v2/current_user')).body.id;
  });
  afterEach(async () => {
    vi.useRealTimers();
    await server.close();
  });

  const admin = (method: string, path: string, body?: unknown) => server.request(method, path, body);
  const login = (username: string, password: string) => server.request('POST', '/v2/login', { username, password });

  /** With the bearer token alone. */
  async function withToken(access_token: string, method: string, path: string, body?: unknown): Promise<Reply> {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(server.url + path, { method, headers, ...sent });
    return { status: reply.status, headers: reply.headers, body: await reply.json() };
  }

  async function createUser(facts: object = {}): Promise<{ id: string; email: string }> {
    const reply = await admin('POST', '/v2/users', { email: `${randomUUID()}@example.org`, ...facts });
    expect(reply.status).toBe(200);
    return reply.body;
  }

  async function getToken(email: string, password = PASSWORD): Promise<string> {
    const reply = await login(email, password);
    expect(reply.status).toBe(200);
    return reply.body.access_token;
  }

  const toAudit = async (object_id: string) =>
    (await server.cradle.auditStore.list({ object_id }, { offset: 0, limit: 100 })).map(({ action, details, actor_id }) => ({
      action,
      details,
      actor_id,
    }));

  return {
    get server() {
      return server;
    },
    get adminId() {
      return adminId;
    },
    admin,
    login,
    withToken,
    createUser,
    getToken,
    toAudit,
  };
}
