import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresLoginStore } from '../../../adapters/postgres/access/postgres-login-store.ts';
import type { RefreshToken } from '../../../core/access/login/login-store.ts';
import { loginStoreContract } from '../../contracts/access/login-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { meet } from '../../setup/two-transactions.ts';

const NOW = '2026-01-02T03:04:05.678Z';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

loginStoreContract('PostgreSQL', async () => {
  await database.empty('refresh_tokens', 'verification_codes', 'login_attempts', 'used_id_tokens');
  return { port: new PostgresLoginStore(database), close: async () => {} };
});

describe('two transactions on one refresh token', () => {
  const token = (): RefreshToken => ({
    token_hash: randomUUID(),
    family_id: randomUUID(),
    user_id: randomUUID(),
    token_version: 0,
    api_key_id: null,
    created_at: NOW,
    expires_at: NOW,
    used_at: null,
  });

  it('use it one after the other', async () => {
    const store = new PostgresLoginStore(database);
    const stored = token();
    await store.insertRefreshToken(stored);
    const { result, waited } = await meet(database.session, {
      first: () => store.useRefreshToken(stored.token_hash, NOW),
      second: () => store.useRefreshToken(stored.token_hash, NOW),
    });
    expect(waited).toBe(true);
    expect(result).toStrictEqual({ ...stored, used_at: NOW });
  });

  it('leave it unused when the one that used it fails', async () => {
    const store = new PostgresLoginStore(database);
    const stored = token();
    await store.insertRefreshToken(stored);
    const failing = database.session.run(async () => {
      await store.useRefreshToken(stored.token_hash, NOW);
      throw new Error('no new token could be made');
    });
    await expect(failing).rejects.toThrow('no new token');
    expect(await store.useRefreshToken(stored.token_hash, NOW)).toStrictEqual(stored);
  });
});
