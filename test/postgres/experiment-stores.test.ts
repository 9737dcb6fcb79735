import { PostgresExperimentStore } from '../../adapters/postgres/postgres-experiment-store.ts';
import { PostgresProjectStore } from '../../adapters/postgres/postgres-project-store.ts';
import { PostgresRunTagStore } from '../../adapters/postgres/postgres-run-tag-store.ts';
import { experimentStoresContract } from '../contracts/experiment-stores.contract.ts';
import { openMigratedDatabase } from '../setup/migrated-database.ts';

experimentStoresContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = {
    projectStore: new PostgresProjectStore({ session }),
    experimentStore: new PostgresExperimentStore({ session }),
    runTagStore: new PostgresRunTagStore({ session }),
  };
  return { port, close };
});
