import { afterAll, beforeAll } from 'vitest';
import { PostgresScorerStore } from '../../../adapters/postgres/scorers/postgres-scorer-store.ts';
import { scorerStoreContract } from '../../contracts/scorers/scorer-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

scorerStoreContract('PostgreSQL', async () => {
  await database.empty('scorers', 'scorer_versions');
  return { port: new PostgresScorerStore(database), close: async () => {} };
});
