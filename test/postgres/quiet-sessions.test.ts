import { quietSessionsContract } from '../contracts/quiet-sessions.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

quietSessionsContract('PostgreSQL', openPostgresStores);
