import { metricSeriesStoreContract } from '../../contracts/otel/metric-series-store.contract.ts';
import { otelTraceStoreContract } from '../../contracts/otel/otel-trace-store.contract.ts';
import { spanLogStoreContract } from '../../contracts/otel/span-log-store.contract.ts';
import { idleTracesContract } from '../../contracts/traces/idle-traces.contract.ts';
import { recordEstimatesContract } from '../../contracts/traces/record-estimates.contract.ts';
import { recordScanContract } from '../../contracts/traces/record-scan.contract.ts';
import { traceStoreContract } from '../../contracts/traces/trace-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

/** The contracts about traces and spans, on PostgreSQL; beside the others, since they take the longest. */
traceStoreContract('PostgreSQL', openPostgresStores);
otelTraceStoreContract('PostgreSQL', openPostgresStores);
metricSeriesStoreContract('PostgreSQL', openPostgresStores);
spanLogStoreContract('PostgreSQL', openPostgresStores);
recordScanContract('PostgreSQL', openPostgresStores);
recordEstimatesContract('PostgreSQL', openPostgresStores);
idleTracesContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const age = 'update records set updated_at = updated_at - make_interval(secs => $1)';
  return { ...stores, pass: async (ms) => void (await stores.database.session.sql(age, [ms / 1000])) };
});
