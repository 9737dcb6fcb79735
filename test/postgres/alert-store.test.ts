import { alertStoreContract } from '../contracts/alert-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

alertStoreContract('PostgreSQL', openPostgresStores);
