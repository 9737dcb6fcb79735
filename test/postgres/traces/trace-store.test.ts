import { traceStoreContract } from '../../contracts/traces/trace-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

traceStoreContract('PostgreSQL', openPostgresStores);
