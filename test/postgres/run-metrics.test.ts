import { runMetricsContract } from '../contracts/run-metrics.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

runMetricsContract('PostgreSQL', openPostgresStores);
