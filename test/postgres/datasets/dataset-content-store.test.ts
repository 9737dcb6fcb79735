import { afterAll, beforeAll } from 'vitest';
import { datasetContentStoreContract } from '../../contracts/datasets/dataset-content-store.contract.ts';
import { openPostgresDatasets } from '../../setup/dataset-stores.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

datasetContentStoreContract('PostgreSQL', async () => ({
  port: openPostgresDatasets(database).datasetContentStore,
  close: async () => {},
}));
