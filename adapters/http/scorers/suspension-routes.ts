import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { ScorerResume, SuspensionView } from '../../../core/scorers/scoring/suspension.ts';
import type { SuspensionService } from '../../../core/scorers/scoring/suspension-service.ts';
import { type Route, route } from '../route.ts';

const ScorerPath = z.object({ scorer_id: Id });
const Suspensions = z.object({ suspensions: z.array(SuspensionView) }).meta({ id: 'ScorerSuspensions' });

export const suspensionRoutes = ({ suspensionService }: { suspensionService: SuspensionService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/suspensions',
    operationId: 'listScorerSuspensions',
    summary: 'Versions of a scorer that are switched off because they kept running out of time or memory, by project.',
    tag: 'scorers',
    params: ScorerPath,
    response: Suspensions,
    handle: ({ caller, params }) => suspensionService.list(caller, params.scorer_id),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/resume',
    operationId: 'resumeScorer',
    summary: 'Switch all versions of a scorer, or one, on again in the projects that the caller sees; the reply lists them.',
    tag: 'scorers',
    params: ScorerPath,
    body: ScorerResume,
    bodyOptional: true,
    response: Suspensions,
    handle: ({ caller, params, body }) => suspensionService.resume(caller, params.scorer_id, body),
  }),
];
