import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import type { EvidenceService } from '../../../core/scorers/evidence/evidence-service.ts';
import { JudgeCallViews } from '../../../core/scorers/evidence/judge-call.ts';
import { Replay, ReplayRequest, ScoreLevelQuery } from '../../../core/scorers/evidence/replay.ts';
import { type Route, route } from '../route.ts';

const params = z.object({ project_id: Id, run_id: Id, record_id: Id, scorer_version_id: Id });
const PATH = '/v2/projects/{project_id}/runs/{run_id}/records/{record_id}/scores/{scorer_version_id}';

export const evidenceRoutes = ({ evidenceService }: { evidenceService: EvidenceService }): Route[] => [
  route({
    method: 'get',
    path: `${PATH}/calls`,
    operationId: 'listJudgeCalls',
    summary: 'The questions that a score was made from, as they were sent, with the answers as the models wrote them.',
    tag: 'scorers',
    params,
    query: ScoreLevelQuery,
    response: JudgeCallViews,
    handle: ({ caller, params, query }) => evidenceService.listCalls(caller, { ...params, ...query }),
  }),
  route({
    method: 'post',
    path: `${PATH}/replay`,
    operationId: 'replayScore',
    summary: 'Makes a score again and compares; the stored one stays. Code gives the same result, judges are asked anew.',
    tag: 'scorers',
    params,
    body: ReplayRequest,
    response: Replay,
    handle: ({ caller, params, body }) => evidenceService.replay(caller, { ...params, ...body }),
  }),
];
