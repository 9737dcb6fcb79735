import { randomUUID } from 'node:crypto';
import type { User } from '../../core/access/users/user.ts';

/** A user of nothing but defaults, made just now, with an address of their own and no password. */
export function plainUser(facts: Partial<User> = {}): User {
  const id = facts.id ?? randomUUID();
  const now = new Date().toISOString();
  return {
    id,
    email: `${id}@example.org`,
    first_name: '',
    last_name: '',
    role: 'user',
    auth_method: 'email',
    email_is_verified: true,
    is_disabled: false,
    password_hash: null,
    token_version: 0,
    created_at: now,
    updated_at: now,
    ...facts,
  };
}
