import { annotationQueueStoreContract } from '../../../test/contracts/annotation/annotation-queue-store.contract.ts';
import { insightScanContract } from '../../../test/contracts/insights/insight-scan.contract.ts';
import { insightStoreContract } from '../../../test/contracts/insights/insight-store.contract.ts';
import { otelTraceStoreContract } from '../../../test/contracts/otel/otel-trace-store.contract.ts';
import { ratingStoreContract } from '../../../test/contracts/ratings/rating-store.contract.ts';
import { columnStoreContract } from '../../../test/contracts/traces/column-store.contract.ts';
import { idleTracesContract } from '../../../test/contracts/traces/idle-traces.contract.ts';
import { recordRemovalContract } from '../../../test/contracts/traces/record-removal.contract.ts';
import { recordScanContract } from '../../../test/contracts/traces/record-scan.contract.ts';
import { retentionStoreContract } from '../../../test/contracts/traces/retention-store.contract.ts';
import { sessionStoreContract } from '../../../test/contracts/traces/session-store.contract.ts';
import { traceStoreContract } from '../../../test/contracts/traces/trace-store.contract.ts';
import { wordSearchContract } from '../../../test/contracts/traces/word-search.contract.ts';
import { alertStoreContract } from '../../../test/contracts/trends/alert-store.contract.ts';
import { dashboardStoreContract } from '../../../test/contracts/trends/dashboard-store.contract.ts';
import { runMetricsContract } from '../../../test/contracts/trends/run-metrics.contract.ts';
import { trendStoreContract } from '../../../test/contracts/trends/trend-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

/** The contracts about records and what is known of them, on the stores in memory. */
const stores = async () => openMemoryStores();

traceStoreContract('memory', stores);
otelTraceStoreContract('memory', stores);
sessionStoreContract('memory', stores);
idleTracesContract('memory', stores);
columnStoreContract('memory', stores);
recordScanContract('memory', stores);
wordSearchContract('memory', stores);
recordRemovalContract('memory', stores);
retentionStoreContract('memory', stores);
ratingStoreContract('memory', stores);
annotationQueueStoreContract('memory', stores);
alertStoreContract('memory', stores);
dashboardStoreContract('memory', stores);
trendStoreContract('memory', stores);
runMetricsContract('memory', stores);
insightStoreContract('memory', stores);
insightScanContract('memory', stores);
