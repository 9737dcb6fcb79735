import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { AutogenRequest } from '../../../core/scorers/autogen/autogen.ts';
import type { AutogenService } from '../../../core/scorers/autogen/autogen-service.ts';
import { isAutogenKind, type ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { TaskResult } from '../../../core/scorers/validation/task-result.ts';
import { EvidenceView } from '../../../core/scorers/validation/validation.ts';
import type { ValidationService } from '../../../core/scorers/validation/validation-service.ts';
import { VersionNumber } from '../../../core/scorers/versions/version-requests.ts';
import { type Route, route } from '../route.ts';
import { getNames } from './kind-names.ts';

const TaskPath = z.object({ task_id: Id });
const StartedTask = z.object({ task_result_id: z.string() }).meta({ id: 'StartedTask' });

interface Services {
  readonly validationService: ValidationService;
  readonly autogenService: AutogenService;
  readonly scorerKinds: ScorerKinds;
}

export const validationRoutes = (services: Services): Route[] => [
  ...autogenRoutes(services),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/versions/{version_number}/validation',
    operationId: 'getValidationEvidence',
    summary: 'What the trial came to that a version was made from.',
    tag: 'scorers',
    params: z.object({ scorer_id: Id, version_number: VersionNumber }),
    response: EvidenceView,
    handle: ({ caller, params }) => services.validationService.evidence(caller, params.scorer_id, params.version_number),
  }),
];

/** Made of the kinds alone, below each of their paths. */
const autogenRoutes = ({ validationService, autogenService, scorerKinds }: Services): Route[] =>
  scorerKinds
    .list()
    .filter(isAutogenKind)
    .flatMap((plugin) =>
      getNames(plugin).flatMap(([path, name]) => [
        route({
          method: 'post',
          path: `/v2/scorers/${path}/autogen`,
          operationId: `autogen${name}`,
          summary: `Have one of the caller's models write a scorer of kind "${plugin.label}"; the result is polled.`,
          tag: 'scorers',
          body: AutogenRequest,
          response: StartedTask,
          handle: ({ caller, body }) => autogenService.start(caller, plugin, body),
        }),
        taskRoute(validationService, `/v2/scorers/${path}/autogen/{task_id}`, `get${name}Autogen`),
      ]),
    );

/** How work behind a request is polled. */
export const taskRoute = (validationService: ValidationService, path: string, operationId: string): Route =>
  route({
    method: 'get',
    path,
    operationId,
    summary: 'How a task is going, and what came of it; for whoever started it.',
    tag: 'scorers',
    params: TaskPath,
    response: TaskResult,
    handle: ({ caller, params }) => validationService.result(caller, params.task_id),
  });
