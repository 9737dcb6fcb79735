import { annotationQueueStoreContract } from '../../contracts/annotation/annotation-queue-store.contract.ts';
import { bookmarkStoreContract } from '../../contracts/bookmarks/bookmark-store.contract.ts';
import { commentStoreContract } from '../../contracts/comments/comment-store.contract.ts';
import { datasetRuleStoreContract } from '../../contracts/datasets/dataset-rule-store.contract.ts';
import { promptUsageStoreContract } from '../../contracts/prompts/prompt-usage-store.contract.ts';
import { ratingStoreContract } from '../../contracts/ratings/rating-store.contract.ts';
import { columnStoreContract } from '../../contracts/traces/column-store.contract.ts';
import { ingestBatchStoreContract } from '../../contracts/traces/ingest-batch-store.contract.ts';
import { retentionStoreContract } from '../../contracts/traces/retention-store.contract.ts';
import { sessionStoreContract } from '../../contracts/traces/session-store.contract.ts';
import { wordSearchContract } from '../../contracts/traces/word-search.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

/** The contracts about what is known of records, on PostgreSQL. The one about their removal has a file of its own, with further tests. */
sessionStoreContract('PostgreSQL', openPostgresStores);
columnStoreContract('PostgreSQL', openPostgresStores);
wordSearchContract('PostgreSQL', openPostgresStores);
retentionStoreContract('PostgreSQL', openPostgresStores);
ingestBatchStoreContract('PostgreSQL', openPostgresStores);
ratingStoreContract('PostgreSQL', openPostgresStores);
bookmarkStoreContract('PostgreSQL', openPostgresStores);
promptUsageStoreContract('PostgreSQL', openPostgresStores);
commentStoreContract('PostgreSQL', openPostgresStores);
datasetRuleStoreContract('PostgreSQL', openPostgresStores);
annotationQueueStoreContract('PostgreSQL', openPostgresStores);
