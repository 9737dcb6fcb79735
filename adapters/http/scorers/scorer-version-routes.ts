import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { forKinds } from '../../../core/scorers/kinds/for-kinds.ts';
import type { ScorerKinds } from '../../../core/scorers/kinds/scorer-kinds.ts';
import { scorerVersionSchema } from '../../../core/scorers/versions/scorer-version.ts';
import type { ScorerVersionService } from '../../../core/scorers/versions/scorer-version-service.ts';
import { NewPresetVersion, VersionNumber, VersionsOfRun } from '../../../core/scorers/versions/version-requests.ts';
import { type Route, route } from '../route.ts';

const ScorerPath = z.object({ scorer_id: Id });
const OneVersion = z.object({ version: VersionNumber.optional() });
const versionPageSchema = forKinds((kinds) =>
  z.object({ ...PageFields, versions: z.array(scorerVersionSchema(kinds)) }).meta({ id: 'ScorerVersionPage' }),
);

interface Services {
  readonly scorerVersionService: ScorerVersionService;
  readonly scorerKinds: ScorerKinds;
}

export const scorerVersionRoutes = ({ scorerVersionService, scorerKinds }: Services): Route[] => [
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/version',
    operationId: 'getScorerVersion',
    summary: 'A version of a scorer by number, or the latest.',
    tag: 'scorers',
    params: ScorerPath,
    query: OneVersion,
    response: scorerVersionSchema(scorerKinds),
    handle: ({ caller, params, query }) => scorerVersionService.get(caller, params.scorer_id, query.version),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/versions',
    operationId: 'listScorerVersions',
    summary: 'Versions of a scorer, newest first; of a run the one that it uses.',
    tag: 'scorers',
    params: ScorerPath,
    query: PageQuery.extend(VersionsOfRun.shape),
    response: versionPageSchema(scorerKinds),
    handle: ({ caller, params, query }) => scorerVersionService.list(caller, params.scorer_id, query.run_id, query),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/version/preset',
    operationId: 'createPresetVersion',
    summary: 'Give a preset a version with other settings.',
    tag: 'scorers',
    params: ScorerPath,
    bodyOptional: true,
    body: NewPresetVersion,
    response: scorerVersionSchema(scorerKinds),
    handle: ({ caller, params, body }) => scorerVersionService.addPreset(caller, params.scorer_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/versions/{version_number}/restore',
    operationId: 'restoreScorerVersion',
    summary: 'Make the content of an older version the next version.',
    tag: 'scorers',
    params: ScorerPath.extend({ version_number: VersionNumber }),
    bodyOptional: true,
    body: z.looseObject({}),
    response: scorerVersionSchema(scorerKinds),
    handle: ({ caller, params }) => scorerVersionService.restore(caller, params.scorer_id, params.version_number),
  }),
];
