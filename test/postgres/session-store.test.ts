import { sessionStoreContract } from '../contracts/session-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

sessionStoreContract('PostgreSQL', () => openPostgresStores());
