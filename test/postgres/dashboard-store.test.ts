import { dashboardStoreContract } from '../contracts/dashboard-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

dashboardStoreContract('PostgreSQL', openPostgresStores);
