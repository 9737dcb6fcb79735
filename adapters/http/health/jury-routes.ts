import { JuryHealth, JuryHealthQuery, WeighedVersionRequest } from '../../../core/health/jury/jury-health.ts';
import type { JuryHealthService } from '../../../core/health/jury/jury-health-service.ts';
import type { WeighedVersionService } from '../../../core/health/jury/weighed-version-service.ts';
import type { ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { scorerVersionSchema } from '../../../core/scorers/versions/scorer-version.ts';
import { QUEUES, QueuePath } from '../annotation/annotation-queue-routes.ts';
import { type Route, route } from '../route.ts';

export interface JuryRouteDeps {
  readonly juryHealthService: JuryHealthService;
  readonly weighedVersionService: WeighedVersionService;
  readonly scorerKinds: ScorerKinds;
}

export const juryRoutes = ({ juryHealthService, weighedVersionService, scorerKinds }: JuryRouteDeps): Route[] => [
  route({
    method: 'get',
    path: `${QUEUES}/{queue_id}/health`,
    operationId: 'getAnnotationQueueHealth',
    summary: 'How well the scorer of a queue, and each juror of it, says what the annotators answered.',
    tag: 'scorers',
    params: QueuePath,
    query: JuryHealthQuery,
    response: JuryHealth,
    handle: ({ caller, params, query }) =>
      juryHealthService.measure(caller, params.project_id, params.queue_id, query.template_id),
  }),
  route({
    method: 'post',
    path: `${QUEUES}/{queue_id}/weighed-version`,
    operationId: 'addWeighedVersion',
    summary: 'Add a version of a jury whose jurors weigh what their health by the answers of a queue says.',
    tag: 'scorers',
    params: QueuePath,
    body: WeighedVersionRequest,
    response: scorerVersionSchema(scorerKinds),
    handle: ({ caller, params, body }) => weighedVersionService.add(caller, params.project_id, params.queue_id, body.template_id),
  }),
];
