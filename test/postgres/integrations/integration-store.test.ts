import { afterAll, beforeAll } from 'vitest';
import { PostgresIntegrationStore } from '../../../adapters/postgres/integrations/postgres-integration-store.ts';
import { integrationStoreContract } from '../../contracts/integrations/integration-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

integrationStoreContract('PostgreSQL', async () => {
  await database.empty('integrations', 'integration_selections');
  return { port: new PostgresIntegrationStore(database), close: async () => {} };
});
