import { answerCacheContract } from '../../../test/contracts/models/answer-cache.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

answerCacheContract('memory', async () => openMemoryStores());
