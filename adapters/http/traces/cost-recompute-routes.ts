import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { CostRecomputeReply, CostRecomputeRequest } from '../../../core/traces/costs/cost-recompute.ts';
import type { CostRecomputeService } from '../../../core/traces/costs/cost-recompute-service.ts';
import { type Route, route } from '../route.ts';

export const costRecomputeRoutes = ({ costRecomputeService }: { costRecomputeService: CostRecomputeService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/recompute-costs',
    operationId: 'recomputeCosts',
    summary: 'Price the calls of the matching traces again, by the prices that are known now for their days.',
    tag: 'traces',
    params: z.object({ project_id: Id }),
    body: CostRecomputeRequest,
    response: CostRecomputeReply,
    handle: ({ caller, params, body }) => costRecomputeService.recompute(caller, params.project_id, body),
  }),
];
