import { scoresBelowContract } from '../contracts/scores-below.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

scoresBelowContract('PostgreSQL', openPostgresStores);
