import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { MetricsSearch } from '../../../core/trends/metrics-search.ts';
import type { MetricsSearchService } from '../../../core/trends/metrics-search-service.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

const MetricBucket = z
  .object({ start_bucket_time: z.string(), end_bucket_time: z.string() })
  .catchall(z.number())
  .meta({ id: 'MetricBucket' });
const FoundMetrics = z
  .object({
    group_by_columns: z.array(z.string()),
    aggregate_metrics: z.record(z.string(), z.number()),
    bucketed_metrics: z.record(z.string(), z.array(MetricBucket)),
  })
  .meta({ id: 'FoundMetrics' });

export const metricsSearchRoutes = ({ metricsSearchService }: { metricsSearchService: MetricsSearchService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/metrics/search',
    operationId: 'searchMetrics',
    summary: 'Numbers of the traces of a run over time, by buckets of `interval` minutes.',
    tag: 'traces',
    bulk: true,
    params: z.object({ project_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: MetricsSearch,
    response: FoundMetrics,
    handle: ({ caller, params, body }) => metricsSearchService.search(caller, params.project_id, body) as Promise<never>,
  }),
];
