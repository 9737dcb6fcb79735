import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { TraceGraph } from '../../../core/traces/read/trace-graph.ts';
import type { TraceGraphService } from '../../../core/traces/read/trace-graph-service.ts';
import { RecordCount } from '../../../core/traces/record-query.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

const AggregatedTraces = z
  .object({
    graph: TraceGraph,
    num_traces: z.int(),
    num_sessions: z.int(),
    start_time: z.string().nullable(),
    end_time: z.string().nullable(),
    has_all_traces: z.boolean(),
  })
  .meta({ id: 'AggregatedTraces' });

export const traceGraphRoutes = ({ traceGraphService }: { traceGraphService: TraceGraphService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/traces/aggregated',
    operationId: 'aggregateTraces',
    summary: 'The newest traces that match, laid over each other as one graph of steps.',
    tag: 'traces',
    bulk: true,
    params: z.object({ project_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: RecordCount,
    response: AggregatedTraces,
    handle: ({ caller, params, body }) => traceGraphService.aggregate(caller, params.project_id, body),
  }),
];
