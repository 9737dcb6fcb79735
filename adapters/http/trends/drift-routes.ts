import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { DriftQuery, ScorerDrift } from '../../../core/trends/drift/drift.ts';
import type { DriftService } from '../../../core/trends/drift/drift-service.ts';
import { type Route, route } from '../route.ts';

export const driftRoutes = ({ driftService }: { driftService: DriftService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/runs/{run_id}/scorers/{scorer_id}/drift',
    operationId: 'getScorerDrift',
    summary:
      'How far the values of a scorer, and the tokens and models that it judges, have moved in a window from those of a reference window.',
    tag: 'scorers',
    params: z.object({ project_id: Id, run_id: Id, scorer_id: Id }),
    query: DriftQuery,
    response: ScorerDrift,
    handle: ({ caller, params, query }) => driftService.measure(caller, params, query),
  }),
];
