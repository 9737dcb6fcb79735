import { Argon2Passwords } from '../adapters/security/argon2-passwords.ts';
import type { FirstAdmin } from '../core/access/access-service.ts';

/** The first administrator of every service that tests open. Not a secret: such services listen on loopback and keep nothing. */
export const FIRST_ADMIN: FirstAdmin = {
  email: 'admin@example.org',
  password: 'correct horse battery',
  api_key: 'test-key-0123456789abcdef',
};

let hash: Promise<string> | undefined;

/** Hashes the password of the first administrator once per process, because hashing is slow on purpose. */
export class TestPasswords extends Argon2Passwords {
  override hash(password: string): Promise<string> {
    if (password !== FIRST_ADMIN.password) return super.hash(password);
    hash ??= super.hash(password);
    return hash;
  }
}
