import { annotationQueueStoreContract } from '../contracts/annotation-queue-store.contract.ts';
import { ratingStoreContract } from '../contracts/rating-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

ratingStoreContract('PostgreSQL', openPostgresStores);
annotationQueueStoreContract('PostgreSQL', openPostgresStores);
