import { annotationQueueStoreContract } from '../../test/contracts/annotation-queue-store.contract.ts';
import { ratingStoreContract } from '../../test/contracts/rating-store.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

ratingStoreContract('memory', async () => openMemoryStores());
annotationQueueStoreContract('memory', async () => openMemoryStores());
