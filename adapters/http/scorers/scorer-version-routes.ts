import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import type { CodeVersionService } from '../../../core/scorers/versions/code-version-service.ts';
import { ScorerVersion } from '../../../core/scorers/versions/scorer-version.ts';
import type { ScorerVersionService } from '../../../core/scorers/versions/scorer-version-service.ts';
import {
  NewFinetunedVersion,
  NewLlmVersion,
  NewPresetVersion,
  VersionNumber,
  VersionsOfRun,
} from '../../../core/scorers/versions/version-requests.ts';
import { requiredFile } from '../body/required-file.ts';
import { type Route, route } from '../route.ts';

const ScorerPath = z.object({ scorer_id: Id });
const OneVersion = z.object({ version: VersionNumber.optional() });
const VersionPage = z.object({ ...PageFields, versions: z.array(ScorerVersion) }).meta({ id: 'ScorerVersionPage' });
const CodeParts = z.looseObject({
  /** With it, the code is not tried here. */
  validation_result: z.string().optional(),
  /** The trial that the version is made from: a `validation_id`, or a `metrics_experiment_id`. */
  validation_id: Id.optional(),
});
export const MAX_SOURCE_BYTES = 1024 * 1024;

interface Services {
  readonly scorerVersionService: ScorerVersionService;
  readonly codeVersionService: CodeVersionService;
}

export const scorerVersionRoutes = ({ scorerVersionService, codeVersionService }: Services): Route[] => [
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/version',
    operationId: 'getScorerVersion',
    summary: 'A version of a scorer by number, or the latest.',
    tag: 'scorers',
    params: ScorerPath,
    query: OneVersion,
    response: ScorerVersion,
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
    response: VersionPage,
    handle: ({ caller, params, query }) => scorerVersionService.list(caller, params.scorer_id, query.run_id, query),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/version/llm',
    operationId: 'createLlmVersion',
    summary: 'Give a judge its next version.',
    tag: 'scorers',
    params: ScorerPath,
    body: NewLlmVersion,
    response: ScorerVersion,
    handle: ({ caller, params, body }) => scorerVersionService.addJudge(caller, params.scorer_id, body),
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
    response: ScorerVersion,
    handle: ({ caller, params, body }) => scorerVersionService.addPreset(caller, params.scorer_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/version/finetuned',
    operationId: 'createFinetunedVersion',
    summary: 'Give a fine-tuned scorer its next version.',
    tag: 'scorers',
    params: ScorerPath,
    body: NewFinetunedVersion,
    response: ScorerVersion,
    handle: ({ caller, params, body }) => scorerVersionService.addTuned(caller, params.scorer_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/scorers/{scorer_id}/version/code',
    operationId: 'createCodeVersion',
    summary: 'Upload the source of a code scorer as its next version.',
    tag: 'scorers',
    bodyFormat: 'multipart',
    maxBodyBytes: MAX_SOURCE_BYTES,
    params: ScorerPath,
    body: CodeParts,
    response: ScorerVersion,
    handle: async ({ caller, params, body, file }) => codeVersionService.add(caller, params.scorer_id, requiredFile(file), body),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/version/code',
    operationId: 'getCode',
    summary: 'The source of a code version by number, or of the latest, as a JSON string.',
    tag: 'scorers',
    params: ScorerPath,
    query: OneVersion,
    response: z.string(),
    handle: ({ caller, params, query }) => codeVersionService.getCode(caller, params.scorer_id, query.version),
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
    response: ScorerVersion,
    handle: ({ caller, params }) => scorerVersionService.restore(caller, params.scorer_id, params.version_number),
  }),
];
