import { answerCacheContract } from '../../../test/contracts/integrations/answer-cache.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

answerCacheContract('memory', async () => openMemoryStores());
