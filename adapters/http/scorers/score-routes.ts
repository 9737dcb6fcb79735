import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { ScoreDetails } from '../../../core/scorers/scores/score-detail.ts';
import type { ScoreService } from '../../../core/scorers/scores/score-service.ts';
import { type Route, route } from '../route.ts';

export const scoreRoutes = ({ scoreService }: { scoreService: ScoreService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/runs/{run_id}/records/{record_id}/scores',
    operationId: 'listScores',
    summary: 'Results of a trace, a span or a session with all that is kept of them: votes, agreement, cost, how often scored.',
    tag: 'scorers',
    params: z.object({ project_id: Id, run_id: Id, record_id: Id }),
    response: ScoreDetails,
    handle: ({ caller, params }) => scoreService.listScores(caller, params.project_id, params.run_id, params.record_id),
  }),
];
