import { dashboardStoreContract } from '../../contracts/trends/dashboard-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

dashboardStoreContract('PostgreSQL', openPostgresStores);
