import { answerCacheContract } from '../../test/contracts/answer-cache.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

answerCacheContract('memory', async () => openMemoryStores());
