import { recordRemovalContract } from '../contracts/record-removal.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

recordRemovalContract('PostgreSQL', openPostgresStores);
