import { PostgresRunScores } from '../../../adapters/postgres/experiments/postgres-run-scores.ts';
import { PostgresRunTotals } from '../../../adapters/postgres/experiments/postgres-run-totals.ts';
import { runScoresContract } from '../../contracts/experiments/run-scores.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

runScoresContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const { session } = stores.database;
  return { ...stores, runScores: new PostgresRunScores({ session }), runTotals: new PostgresRunTotals({ session }) };
});
