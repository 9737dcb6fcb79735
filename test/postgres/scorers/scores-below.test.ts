import { scoresBelowContract } from '../../contracts/scorers/scores-below.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

scoresBelowContract('PostgreSQL', openPostgresStores);
