import { afterAll, beforeAll } from 'vitest';
import { PostgresProjectStore } from '../../../adapters/postgres/projects/postgres-project-store.ts';
import { projectStoreContract } from '../../contracts/projects/project-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

projectStoreContract('PostgreSQL', async () => {
  await database.empty('projects', 'project_files', 'runs');
  return { port: new PostgresProjectStore(database), close: async () => {} };
});
