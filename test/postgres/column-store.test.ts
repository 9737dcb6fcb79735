import { columnStoreContract } from '../contracts/column-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

columnStoreContract('PostgreSQL', openPostgresStores);
