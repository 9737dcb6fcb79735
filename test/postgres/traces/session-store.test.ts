import { sessionStoreContract } from '../../contracts/traces/session-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

sessionStoreContract('PostgreSQL', () => openPostgresStores());
