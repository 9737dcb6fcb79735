import { otelTraceStoreContract } from '../../contracts/otel/otel-trace-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

otelTraceStoreContract('PostgreSQL', openPostgresStores);
