import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { forKinds } from '../../../core/scorers/kinds/for-kinds.ts';
import { ScorerKindList, scorerKindView } from '../../../core/scorers/kinds/scorer-kind-view.ts';
import type { ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { newScorerSchema, ScorerUpdate } from '../../../core/scorers/scorer.ts';
import { ScorerProjectPage, type ScorerProjectService } from '../../../core/scorers/scorer-project-service.ts';
import { scorerSearchSchema } from '../../../core/scorers/scorer-query.ts';
import type { ScorerService } from '../../../core/scorers/scorer-service.ts';
import { scorerSchema } from '../../../core/scorers/scorer-view.ts';
import { type Route, route } from '../route.ts';

const ScorerPath = z.object({ scorer_id: Id });
const VersionPath = z.object({ scorer_version_id: Id });
const scorerPageSchema = forKinds((kinds) =>
  z.object({ ...PageFields, scorers: z.array(scorerSchema(kinds)) }).meta({ id: 'ScorerPage' }),
);

interface Services {
  readonly scorerService: ScorerService;
  readonly scorerProjectService: ScorerProjectService;
  readonly scorerKinds: ScorerKinds;
}

export const scorerRoutes = ({ scorerService, scorerProjectService, scorerKinds }: Services): Route[] => [
  route({
    method: 'post',
    path: '/v2/scorers',
    operationId: 'createScorer',
    summary: 'Create a scorer; it scores once it has a version and is enabled in a run.',
    tag: 'scorers',
    body: newScorerSchema(scorerKinds.types),
    response: scorerSchema(scorerKinds),
    handle: ({ caller, body }) => scorerService.create(caller, body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/list',
    operationId: 'listScorers',
    summary: 'List scorers by filters.',
    tag: 'scorers',
    query: PageQuery,
    bodyOptional: true,
    body: scorerSearchSchema(scorerKinds.types),
    response: scorerPageSchema(scorerKinds),
    handle: ({ caller, query, body }) => scorerService.list(caller, body, query),
  }),
  route({
    method: 'get',
    path: '/v2/scorer_kinds',
    operationId: 'listScorerKinds',
    summary: 'The installed kinds of scorers, each with the schema of its definitions.',
    tag: 'scorers',
    response: ScorerKindList,
    handle: async () => ({ scorer_kinds: scorerKinds.list().map(scorerKindView) }),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/tags',
    operationId: 'listScorerTags',
    summary: 'Every tag that any scorer has.',
    tag: 'scorers',
    response: z.array(z.string()),
    handle: ({ caller }) => scorerService.tags(caller),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}',
    operationId: 'getScorer',
    summary: 'A scorer with its latest and its default version.',
    tag: 'scorers',
    params: ScorerPath,
    response: scorerSchema(scorerKinds),
    handle: ({ caller, params }) => scorerService.get(caller, params.scorer_id),
  }),
  route({
    method: 'patch',
    path: '/v2/scorers/{scorer_id}',
    operationId: 'updateScorer',
    summary: 'Change a scorer, or make one of its versions the default.',
    tag: 'scorers',
    params: ScorerPath,
    body: ScorerUpdate,
    response: scorerSchema(scorerKinds),
    handle: ({ caller, params, body }) => scorerService.update(caller, params.scorer_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/scorers/{scorer_id}',
    operationId: 'deleteScorer',
    summary: 'Delete a scorer with its versions; it scores nowhere any more, and what it has said stays.',
    tag: 'scorers',
    params: ScorerPath,
    response: z.object({ message: z.string() }),
    handle: ({ caller, params }) => scorerService.remove(caller, params.scorer_id),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/projects',
    operationId: 'listProjectsOfScorer',
    summary: 'Projects that use a scorer in a log stream or experiment.',
    tag: 'scorers',
    params: ScorerPath,
    query: PageQuery,
    response: ScorerProjectPage,
    handle: ({ caller, params, query }) => scorerProjectService.list(caller, params.scorer_id, query),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/versions/{scorer_version_id}/projects',
    operationId: 'listProjectsOfScorerVersion',
    summary: 'Projects in which a version of a scorer runs: pinned, or because it is the default.',
    tag: 'scorers',
    params: VersionPath,
    query: PageQuery.extend({ scorer_id: Id.optional() }),
    response: ScorerProjectPage,
    handle: ({ caller, params, query }) =>
      scorerProjectService.listOfVersion(caller, query.scorer_id, params.scorer_version_id, query),
  }),
];
