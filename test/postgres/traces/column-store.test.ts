import { columnStoreContract } from '../../contracts/traces/column-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

columnStoreContract('PostgreSQL', openPostgresStores);
