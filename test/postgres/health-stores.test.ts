import { PostgresHealthStore } from '../../adapters/postgres/postgres-health-store.ts';
import { PostgresScorerGateStore } from '../../adapters/postgres/postgres-scorer-gate-store.ts';
import { PostgresTruthColumns } from '../../adapters/postgres/postgres-truth-columns.ts';
import { healthStoresContract } from '../contracts/health-stores.contract.ts';
import { openMigratedDatabase } from '../setup/migrated-database.ts';

healthStoresContract('PostgreSQL', async () => {
  const { session, close } = await openMigratedDatabase();
  const port = {
    healthStore: new PostgresHealthStore({ session }),
    truthColumns: new PostgresTruthColumns({ session }),
    scorerGateStore: new PostgresScorerGateStore({ session }),
  };
  return { port, close };
});
