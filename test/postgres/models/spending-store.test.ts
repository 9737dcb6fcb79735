import { spendingStoreContract } from '../../contracts/models/spending-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

spendingStoreContract('PostgreSQL', openPostgresStores);
