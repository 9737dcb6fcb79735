import { spendingStoreContract } from '../../contracts/integrations/spending-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

spendingStoreContract('PostgreSQL', openPostgresStores);
