import { PostgresHealthStore } from '../../../adapters/postgres/health/postgres-health-store.ts';
import { PostgresScorerGateStore } from '../../../adapters/postgres/health/postgres-scorer-gate-store.ts';
import { PostgresTruthColumns } from '../../../adapters/postgres/health/postgres-truth-columns.ts';
import { healthStoresContract } from '../../contracts/health/health-stores.contract.ts';
import { openMigratedDatabase } from '../../setup/migrated-database.ts';

healthStoresContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = {
    healthStore: new PostgresHealthStore({ session }),
    truthColumns: new PostgresTruthColumns({ session }),
    scorerGateStore: new PostgresScorerGateStore({ session }),
  };
  return { port, close };
});
