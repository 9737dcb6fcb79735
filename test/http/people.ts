import { randomUUID } from 'node:crypto';
import type { UserRole } from '../../core/access/role.ts';
import type { ApiKey } from '../../core/access/users/user.ts';
import { plainUser } from '../setup/plain-user.ts';
import type { Reply, TestServer } from './harness.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly api_key: string;
  /** Sends JSON with this person's key. */
  request(method: string, path: string, body?: unknown): Promise<Reply>;
}

interface Traits {
  readonly role?: UserRole;
  readonly email?: string;
  /** Limits of the key. */
  readonly key?: Partial<Pick<ApiKey, 'project_id' | 'max_role' | 'purpose' | 'expires_at'>>;
}

/** Adds a user with an API key. By default a plain user, whose key may do all that the user may. */
export async function person(server: TestServer, { role = 'user', email, key = {} }: Traits = {}): Promise<Person> {
  const user = plainUser({ role, ...(email === undefined ? {} : { email }) });
  await server.cradle.accessStore.insertUser(user);
  return withKey(server, user, key);
}

/** The same person with another key. */
export async function withKey(
  server: TestServer,
  { id, email }: { readonly id: string; readonly email: string },
  limits: Traits['key'] = {},
): Promise<Person> {
  const { accessStore, secrets } = server.cradle;
  const api_key = secrets.mint('tsk_');
  await accessStore.insertApiKey({
    id: randomUUID(),
    user_id: id,
    key_hash: secrets.digest(api_key),
    description: 'a key of the tests',
    truncated: api_key.slice(-4),
    project_id: null,
    max_role: null,
    purpose: null,
    expires_at: null,
    last_used_at: null,
    created_at: new Date().toISOString(),
    ...limits,
  });
  const headers = { 'service-api-key': api_key };
  return { id, email, api_key, request: (method, path, body) => server.request(method, path, body, { headers }) };
}
