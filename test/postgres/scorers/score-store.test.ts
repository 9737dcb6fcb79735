import { scoreStoreContract } from '../../contracts/scorers/score-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

scoreStoreContract('PostgreSQL', openPostgresStores);
