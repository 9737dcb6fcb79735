import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { RecomputeReply, RecomputeRequest } from '../../../core/scorers/recompute/recompute.ts';
import type { RecomputeService } from '../../../core/scorers/recompute/recompute-service.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

/** Typed with a dash, and sent with an underscore. */
const SPELLINGS = { recomputeMetrics: 'recompute-metrics', recomputeMetricsByOtherName: 'recompute_metrics' } as const;

export const recomputeRoutes = ({ recomputeService }: { recomputeService: RecomputeService }): Route[] =>
  Object.entries(SPELLINGS).map(([operationId, segment]) =>
    route({
      method: 'post',
      path: `/v2/projects/{project_id}/${segment}`,
      operationId,
      summary: 'Have scorers judge the matching traces, and all records in them, again.',
      tag: 'scorers',
      params: z.object({ project_id: Id }),
      maxBodyBytes: MAX_BYTES,
      body: RecomputeRequest,
      response: RecomputeReply,
      handle: ({ caller, params, body }) => recomputeService.recompute(caller, params.project_id, body),
    }),
  );
