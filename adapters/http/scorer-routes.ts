import { z } from 'zod';
import { AppError } from '../../core/kernel/errors.ts';
import { collectionFilter, dateFilter, enumFilter, filterList, idFilter, stringFilter } from '../../core/kernel/filter.ts';
import { PageFields, PageQuery } from '../../core/kernel/page.ts';
import { sortBy } from '../../core/kernel/sort.ts';
import { Id } from '../../core/kernel/text.ts';
import { NewScorer, SCORER_TYPES, Scorer, ScorerVersion, ScorerVersionQuery } from '../../core/scorers/scorer.ts';
import type { ScorerService } from '../../core/scorers/scorer-service.ts';
import { type Route, route, type UploadedFile } from './route.ts';

const ScorerPath = z.object({ scorer_id: Id });
const MAX_SOURCE_BYTES = 1024 * 1024;

const ScorerFilter = z.discriminatedUnion('name', [
  idFilter('id'),
  stringFilter('name'),
  stringFilter('label'),
  enumFilter('scorer_type', SCORER_TYPES),
  enumFilter('model_type', ['slm', 'llm', 'code']),
  collectionFilter('tags'),
  idFilter('creator'),
  dateFilter('created_at'),
  dateFilter('updated_at'),
]);
const ScorerList = z.object({
  filters: filterList(ScorerFilter),
  sort: sortBy({ name: 'column' }, { name: 'name', ascending: true }),
});
const ScorerPage = z.object({ ...PageFields, scorers: z.array(Scorer) }).meta({ id: 'ScorerPage' });

const required = (file: UploadedFile | undefined): UploadedFile => {
  if (file) return file;
  throw new AppError('invalid', 'file_missing', 'field required', {
    issues: [{ loc: ['body', 'file'], msg: 'field required', type: 'missing' }],
  });
};

export const scorerRoutes = ({ scorerService }: { scorerService: ScorerService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/scorers',
    operationId: 'createScorer',
    summary: 'Create a scorer; it scores once it has a version and is enabled in a run.',
    tag: 'scorers',
    body: NewScorer,
    response: Scorer,
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
    body: ScorerList,
    response: ScorerPage,
    handle: ({ caller, query, body }) => scorerService.list(caller, body.filters, body.sort, query),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}',
    operationId: 'getScorer',
    summary: 'A scorer with its latest and its default version.',
    tag: 'scorers',
    params: ScorerPath,
    response: Scorer,
    handle: ({ caller, params }) => scorerService.get(caller, params.scorer_id),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/version',
    operationId: 'getScorerVersion',
    summary: 'A version of a scorer by number, or the latest.',
    tag: 'scorers',
    params: ScorerPath,
    query: ScorerVersionQuery,
    response: ScorerVersion,
    handle: ({ caller, params, query }) => scorerService.getVersion(caller, params.scorer_id, query.version),
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
    body: z.looseObject({ validation_result: z.string().optional() }),
    response: ScorerVersion,
    handle: async ({ caller, params, file }) => scorerService.addCodeVersion(caller, params.scorer_id, required(file)),
  }),
  route({
    method: 'get',
    path: '/v2/scorers/{scorer_id}/version/code',
    operationId: 'getCode',
    summary: 'The source of a code version by number, or of the latest, as a JSON string.',
    tag: 'scorers',
    params: ScorerPath,
    query: ScorerVersionQuery,
    response: z.string(),
    handle: ({ caller, params, query }) => scorerService.getCode(caller, params.scorer_id, query.version),
  }),
];
