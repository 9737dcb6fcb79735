import { alertStoreContract } from '../../contracts/trends/alert-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

alertStoreContract('PostgreSQL', openPostgresStores);
