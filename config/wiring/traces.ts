import { costRecomputeRoutes } from '../../adapters/http/traces/cost-recompute-routes.ts';
import { exportRoutes } from '../../adapters/http/traces/export-routes.ts';
import { facetRoutes } from '../../adapters/http/traces/facet-routes.ts';
import { ingestBatchRoutes } from '../../adapters/http/traces/ingest-batch-routes.ts';
import { recordRemovalRoutes } from '../../adapters/http/traces/record-removal-routes.ts';
import { retentionRoutes } from '../../adapters/http/traces/retention-routes.ts';
import { sessionRoutes } from '../../adapters/http/traces/session-routes.ts';
import { streamSearchRoutes } from '../../adapters/http/traces/stream-search-routes.ts';
import { traceGraphRoutes } from '../../adapters/http/traces/trace-graph-routes.ts';
import { traceRoutes } from '../../adapters/http/traces/trace-routes.ts';
import { IngestBatchService } from '../../core/traces/batches/ingest-batch-service.ts';
import { CostRecomputeJob } from '../../core/traces/costs/cost-recompute-job.ts';
import { CostRecomputeService } from '../../core/traces/costs/cost-recompute-service.ts';
import { FileIntake } from '../../core/traces/ingest/file-intake.ts';
import type { IdleTraces } from '../../core/traces/ingest/idle-traces.ts';
import { TraceService } from '../../core/traces/ingest/trace-service.ts';
import { ExportService } from '../../core/traces/read/export-service.ts';
import { FacetService } from '../../core/traces/read/facet-service.ts';
import { QueryGuard } from '../../core/traces/read/query-guard.ts';
import { SearchService } from '../../core/traces/read/search-service.ts';
import { StreamSearchService } from '../../core/traces/read/stream-search-service.ts';
import { TraceGraphService } from '../../core/traces/read/trace-graph-service.ts';
import { RecordRemovalService } from '../../core/traces/retention/record-removal-service.ts';
import { RetentionService } from '../../core/traces/retention/retention-service.ts';
import { SessionService } from '../../core/traces/sessions/session-service.ts';
import { capability, singleton } from './registration.ts';

export const traces = capability({
  services: {
    fileIntake: singleton(FileIntake),
    traceService: singleton(TraceService),
    ingestBatchService: singleton(IngestBatchService),
    sessionService: singleton(SessionService),
    exportService: singleton(ExportService),
    recordRemovalService: singleton(RecordRemovalService),
    traceGraphService: singleton(TraceGraphService),
    retentionService: singleton(RetentionService),
    queryGuard: singleton(QueryGuard),
    searchService: singleton(SearchService),
    streamSearchService: singleton(StreamSearchService),
    facetService: singleton(FacetService),
    costRecomputeService: singleton(CostRecomputeService),
  },
  routes: [
    traceRoutes,
    ingestBatchRoutes,
    facetRoutes,
    streamSearchRoutes,
    sessionRoutes,
    recordRemovalRoutes,
    exportRoutes,
    traceGraphRoutes,
    retentionRoutes,
    costRecomputeRoutes,
  ],
  jobs: [singleton(CostRecomputeJob)],
  background: [
    ({ retentionService }: { retentionService: RetentionService }) => ({
      name: 'remove records that were kept long enough',
      work: async () => (await retentionService.run()).more,
      idleDelayMs: 60 * 60_000,
    }),
    ({ ingestBatchService }: { ingestBatchService: IngestBatchService }) => ({
      name: 'forget batches that came more than a day ago',
      work: async () => (await ingestBatchService.removeExpired()).more,
      idleDelayMs: 10 * 60_000,
    }),
    ({ idleTraces, traceIdleSeconds }: { idleTraces: IdleTraces; traceIdleSeconds: number }) => ({
      name: 'complete traces to which nothing is logged any more',
      work: async () => (await idleTraces.complete(traceIdleSeconds)).more,
      idleDelayMs: 5_000,
    }),
  ],
});
