import { PostgresRunOriginStore } from '../../../adapters/postgres/experiments/postgres-run-origin-store.ts';
import { PostgresProjectStore } from '../../../adapters/postgres/projects/postgres-project-store.ts';
import { runOriginStoreContract } from '../../contracts/experiments/run-origin-store.contract.ts';
import { openMigratedDatabase } from '../../setup/migrated-database.ts';

runOriginStoreContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = { projectStore: new PostgresProjectStore({ session }), runOriginStore: new PostgresRunOriginStore({ session }) };
  return { port, close };
});
