import { PostgresExperimentStore } from '../../../adapters/postgres/experiments/postgres-experiment-store.ts';
import { PostgresRunTagStore } from '../../../adapters/postgres/experiments/postgres-run-tag-store.ts';
import { PostgresProjectStore } from '../../../adapters/postgres/projects/postgres-project-store.ts';
import { experimentStoresContract } from '../../contracts/experiments/experiment-stores.contract.ts';
import { openMigratedDatabase } from '../../setup/migrated-database.ts';

experimentStoresContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = {
    projectStore: new PostgresProjectStore({ session }),
    experimentStore: new PostgresExperimentStore({ session }),
    runTagStore: new PostgresRunTagStore({ session }),
  };
  return { port, close };
});
