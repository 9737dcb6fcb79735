import { wordSearchContract } from '../../contracts/traces/word-search.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

wordSearchContract('PostgreSQL', openPostgresStores);
