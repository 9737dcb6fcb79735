import { randomUUID } from 'node:crypto';
import type { UserRole } from '../../../core/access/role.ts';
import type { TestServer } from '../../http/harness.ts';
import { now, type Scene, type Town, unknownIds } from '../scene.ts';

/** A user without credentials. */
export async function makeUser(server: TestServer, role: UserRole = 'user'): Promise<string> {
  const id = randomUUID();
  await server.cradle.accessStore.insertUser({
    id,
    email: `${id}@example.org`,
    first_name: '',
    last_name: '',
    role,
    auth_method: 'email',
    email_is_verified: true,
    is_disabled: false,
    password_hash: null,
    token_version: 0,
    created_at: now(),
    updated_at: now(),
  });
  return id;
}

/** A user of the role, or the caller. */
export async function makeUserScene({ server }: Town, caller_id: string, role: UserRole | 'oneself'): Promise<Scene> {
  const user_id = role === 'oneself' ? caller_id : await makeUser(server, role);
  const { accessStore } = server.cradle;
  const picture = async () => JSON.stringify(await accessStore.findUser(user_id));
  return { ids: { ...unknownIds(caller_id), user_id }, secret: '', picture };
}

/** A key, unused so far. */
export async function makeApiKey({ server }: Town, caller_id: string, user_id: string): Promise<Scene> {
  const api_key_id = randomUUID();
  const description = `secret ${api_key_id}`;
  const limits = { project_id: null, max_role: null, expires_at: null };
  const facts = { description, truncated: 'abcd', last_used_at: null, created_at: now() };
  await server.cradle.accessStore.insertApiKey({ id: api_key_id, user_id, key_hash: api_key_id, ...limits, ...facts });
  const picture = async () => JSON.stringify(await server.cradle.accessStore.findApiKey(api_key_id));
  return { ids: { ...unknownIds(caller_id), api_key_id }, secret: description, picture };
}
