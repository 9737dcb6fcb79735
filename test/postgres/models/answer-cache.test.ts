import { answerCacheContract } from '../../contracts/models/answer-cache.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

answerCacheContract('PostgreSQL', openPostgresStores);
