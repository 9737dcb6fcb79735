import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { IdempotencyKey, IngestBatch } from '../../../core/traces/batches/ingest-batch.ts';
import type { IngestBatchService } from '../../../core/traces/batches/ingest-batch-service.ts';
import { type Route, route } from '../route.ts';

export const ingestBatchRoutes = ({ ingestBatchService }: { ingestBatchService: IngestBatchService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/ingest/batches/{key}',
    operationId: 'getIngestBatch',
    summary: 'Whether the request with this Idempotency-Key arrived within the last day, and the reply that it got.',
    tag: 'traces',
    params: z.object({ project_id: Id, key: IdempotencyKey }),
    response: IngestBatch,
    handle: ({ caller, params }) => ingestBatchService.find(caller, params.project_id, params.key),
  }),
];
