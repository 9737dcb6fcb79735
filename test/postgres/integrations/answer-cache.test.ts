import { answerCacheContract } from '../../contracts/integrations/answer-cache.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

answerCacheContract('PostgreSQL', openPostgresStores);
