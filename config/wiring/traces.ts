import { columnRoutes } from '../../adapters/http/traces/column-routes.ts';
import { exportRoutes } from '../../adapters/http/traces/export-routes.ts';
import { metricsSearchRoutes } from '../../adapters/http/traces/metrics-search-routes.ts';
import { recordRemovalRoutes } from '../../adapters/http/traces/record-removal-routes.ts';
import { retentionRoutes } from '../../adapters/http/traces/retention-routes.ts';
import { sessionRoutes } from '../../adapters/http/traces/session-routes.ts';
import { traceGraphRoutes } from '../../adapters/http/traces/trace-graph-routes.ts';
import { traceRoutes } from '../../adapters/http/traces/trace-routes.ts';
import { ColumnService } from '../../core/traces/columns/column-service.ts';
import type { IdleTraces } from '../../core/traces/ingest/idle-traces.ts';
import { TraceService } from '../../core/traces/ingest/trace-service.ts';
import { ExportService } from '../../core/traces/read/export-service.ts';
import { MetricsSearchService } from '../../core/traces/read/metrics-search-service.ts';
import { SearchService } from '../../core/traces/read/search-service.ts';
import { TraceGraphService } from '../../core/traces/read/trace-graph-service.ts';
import { RecordRemovalService } from '../../core/traces/retention/record-removal-service.ts';
import { RetentionService } from '../../core/traces/retention/retention-service.ts';
import { SessionService } from '../../core/traces/sessions/session-service.ts';
import type { WriteQueue } from '../../core/traces/write-queue.ts';
import type { RecordIndex } from '../../core/trends/record-index.ts';
import type { BackgroundWork } from '../background-loop.ts';
import { capability, singleton } from './registration.ts';

/** How long a record waits, at most, before lists of trends and the search by words know it, when there is little to do. */
const INDEX_REST_MS = 500;
const INDEXED_AT_ONCE = 2_000;
/** While records wait to be written, indexing takes a twentieth of the time and writing the rest. */
const BUSY_POLITENESS = 19;
const IDLE_POLITENESS = 0.1;

const indexing = ({ recordIndex, writeQueue }: { recordIndex: RecordIndex; writeQueue: WriteQueue }): BackgroundWork => ({
  name: 'index records',
  work: async () => (await recordIndex.advance(INDEXED_AT_ONCE)) > 0,
  idleDelayMs: INDEX_REST_MS,
  dutyCycle: () => (writeQueue.queuedBytes > 0 ? BUSY_POLITENESS : IDLE_POLITENESS),
});

export const traces = capability({
  services: {
    traceService: singleton(TraceService),
    sessionService: singleton(SessionService),
    exportService: singleton(ExportService),
    recordRemovalService: singleton(RecordRemovalService),
    traceGraphService: singleton(TraceGraphService),
    metricsSearchService: singleton(MetricsSearchService),
    retentionService: singleton(RetentionService),
    columnService: singleton(ColumnService),
    searchService: singleton(SearchService),
  },
  routes: [
    traceRoutes,
    sessionRoutes,
    recordRemovalRoutes,
    exportRoutes,
    traceGraphRoutes,
    metricsSearchRoutes,
    retentionRoutes,
    columnRoutes,
  ],
  background: [
    ({ retentionService }: { retentionService: RetentionService }) => ({
      name: 'remove records that were kept long enough',
      work: async () => (await retentionService.run()).more,
      idleDelayMs: 60 * 60_000,
    }),
    ({ idleTraces, traceIdleSeconds }: { idleTraces: IdleTraces; traceIdleSeconds: number }) => ({
      name: 'complete traces to which nothing is logged any more',
      work: async () => (await idleTraces.complete(traceIdleSeconds)).more,
      idleDelayMs: 5_000,
    }),
    indexing,
  ],
});
