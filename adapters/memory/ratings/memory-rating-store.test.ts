import { annotationQueueStoreContract } from '../../../test/contracts/annotation/annotation-queue-store.contract.ts';
import { ratingStoreContract } from '../../../test/contracts/ratings/rating-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

ratingStoreContract('memory', async () => openMemoryStores());
annotationQueueStoreContract('memory', async () => openMemoryStores());
