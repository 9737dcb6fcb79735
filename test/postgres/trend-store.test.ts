import { trendStoreContract } from '../contracts/trend-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

trendStoreContract('PostgreSQL', openPostgresStores);
