import { annotationQueueStoreContract } from '../../contracts/annotation/annotation-queue-store.contract.ts';
import { ratingStoreContract } from '../../contracts/ratings/rating-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

ratingStoreContract('PostgreSQL', openPostgresStores);
annotationQueueStoreContract('PostgreSQL', openPostgresStores);
