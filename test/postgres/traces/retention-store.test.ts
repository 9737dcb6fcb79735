import { retentionStoreContract } from '../../contracts/traces/retention-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

retentionStoreContract('PostgreSQL', openPostgresStores);
