import { trendStoreContract } from '../../contracts/trends/trend-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

trendStoreContract('PostgreSQL', openPostgresStores);
