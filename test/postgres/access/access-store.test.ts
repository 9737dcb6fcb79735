import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresAccessStore } from '../../../adapters/postgres/access/postgres-access-store.ts';
import { accessStoreContract } from '../../contracts/access/access-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { plainUser } from '../../setup/plain-user.ts';
import { meet } from '../../setup/two-transactions.ts';

const NOW = '2026-01-02T03:04:05.678Z';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

accessStoreContract('PostgreSQL', async () => {
  await database.empty('users', 'api_keys', 'user_identities');
  return { port: new PostgresAccessStore(database), close: async () => {} };
});

describe('two transactions on users', () => {
  const admin = () => plainUser({ role: 'admin' });

  it('see the administrators one after the other, so that the last one cannot be lost', async () => {
    await database.empty('users');
    const store = new PostgresAccessStore(database);
    const [one, two] = [admin(), admin()];
    for (const user of [one, two]) await store.insertUser(user);
    const { result, waited } = await meet(database.session, {
      first: () => store.holdAdmins(),
      beforeEnd: () => store.updateUser(one.id, { role: 'user', updated_at: NOW }),
      second: () => store.holdAdmins(),
    });
    expect(waited).toBe(true);
    expect(result).toEqual([two.id]);
  });

  it('see an administrator who took the place of all others while they waited', async () => {
    await database.empty('users');
    const store = new PostgresAccessStore(database);
    const [one, two] = [admin(), { ...admin(), role: 'user' as const }];
    for (const user of [one, two]) await store.insertUser(user);
    const { result } = await meet(database.session, {
      first: () => store.holdAdmins(),
      beforeEnd: async () => {
        await store.updateUser(two.id, { role: 'admin', updated_at: NOW });
        await store.updateUser(one.id, { role: 'user', updated_at: NOW });
      },
      second: () => store.holdAdmins(),
    });
    expect(result).toEqual([two.id]);
  });

  it('wait to change an administrator whom the other one holds', async () => {
    await database.empty('users');
    const store = new PostgresAccessStore(database);
    const one = admin();
    await store.insertUser(one);
    const { waited } = await meet(database.session, {
      first: () => store.holdAdmins(),
      second: () => store.updateUser(one.id, { is_disabled: true, updated_at: NOW }),
    });
    expect(waited).toBe(true);
  });

  it('see what a statement changed under a user that was read before', async () => {
    const store = new PostgresAccessStore(database);
    const one = admin();
    await store.insertUser(one);
    const version = await database.session.run(async () => {
      await store.findUser(one.id);
      await store.endTokens(one.id);
      return (await store.findUser(one.id))!.token_version;
    });
    expect(version).toBe(1);
  });
});
