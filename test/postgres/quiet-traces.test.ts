import { quietTracesContract } from '../contracts/quiet-traces.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

quietTracesContract('PostgreSQL', openPostgresStores);
