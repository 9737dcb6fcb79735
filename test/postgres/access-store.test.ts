import { afterAll, beforeAll } from 'vitest';
import { PostgresAccessStore } from '../../adapters/postgres/postgres-access-store.ts';
import { accessStoreContract } from '../contracts/access-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

accessStoreContract('PostgreSQL', async () => {
  await database.empty('users', 'api_keys');
  return { port: new PostgresAccessStore(database), close: async () => {} };
});
