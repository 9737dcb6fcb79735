import { afterAll, beforeAll } from 'vitest';
import { PostgresValidationStore } from '../../../adapters/postgres/scorers/postgres-validation-store.ts';
import { validationStoreContract } from '../../contracts/scorers/validation-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

validationStoreContract('PostgreSQL', async () => {
  await database.empty('scorer_validations');
  return { port: new PostgresValidationStore(database), close: async () => {} };
});
