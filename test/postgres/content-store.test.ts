import { afterAll, beforeAll } from 'vitest';
import { contentStoreContract } from '../contracts/content-store.contract.ts';
import { openPostgresDatasets } from '../setup/dataset-stores.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

contentStoreContract('PostgreSQL', async () => ({ port: openPostgresDatasets(database).contentStore, close: async () => {} }));
