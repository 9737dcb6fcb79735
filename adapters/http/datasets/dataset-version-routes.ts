import { z } from 'zod';
import { DatasetContent } from '../../../core/datasets/content.ts';
import type { DatasetContentService } from '../../../core/datasets/dataset-content-service.ts';
import type { DatasetDiffService } from '../../../core/datasets/dataset-diff-service.ts';
import { DatasetDiff, DiffQuery } from '../../../core/datasets/diff.ts';
import { DatasetVersion, VersionSearch, VersionUpdate } from '../../../core/datasets/version.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { type Route, route, streamedRoute } from '../route.ts';
import { ContentQuery, ETAG, tag } from './dataset-content-routes.ts';
import { DatasetPath } from './dataset-routes.ts';

const VersionIndex = z.coerce.number().int().min(0).max(2_147_483_647);
const VersionPath = DatasetPath.extend({ version_index: VersionIndex });
const VersionsPath = VersionPath.extend({ other_version_index: VersionIndex });
const VersionPage = z.object({ ...PageFields, versions: z.array(DatasetVersion) }).meta({ id: 'DatasetVersionPage' });

export const datasetVersionRoutes = ({
  datasetContentService,
  datasetDiffService,
}: {
  datasetContentService: DatasetContentService;
  datasetDiffService: DatasetDiffService;
}): Route[] => [
  route({
    method: 'post',
    path: '/v2/datasets/{dataset_id}/versions/query',
    operationId: 'queryDatasetVersions',
    summary: 'List the versions of a dataset with what each changed, newest first unless sorted otherwise.',
    tag: 'datasets',
    params: DatasetPath,
    query: PageQuery,
    body: VersionSearch,
    bodyOptional: true,
    response: VersionPage,
    handle: ({ caller, params, query, body }) => datasetContentService.listVersions(caller, params.dataset_id, body, query),
  }),
  route({
    method: 'patch',
    path: '/v2/datasets/{dataset_id}/versions/{version_index}',
    operationId: 'updateDatasetVersion',
    summary: 'Name a version, or take its name away.',
    tag: 'datasets',
    params: VersionPath,
    body: VersionUpdate,
    response: DatasetVersion,
    handle: ({ caller, params, body }) =>
      datasetContentService.updateVersion(caller, params.dataset_id, params.version_index, body),
  }),
  streamedRoute({
    method: 'get',
    path: '/v2/datasets/{dataset_id}/versions/{version_index}/content',
    operationId: 'getDatasetVersionContent',
    summary: 'Rows of any version, page by page: up to 100000, or 256 MiB of them.',
    tag: 'datasets',
    params: VersionPath,
    query: ContentQuery,
    response: DatasetContent,
    replyHeaders: ETAG,
    handle: async ({ caller, params, query, res }) => {
      const { version_id, chunks } = await datasetContentService.read(caller, params.dataset_id, query, params.version_index);
      tag(res, version_id);
      return chunks;
    },
  }),
  route({
    method: 'get',
    path: '/v2/datasets/{dataset_id}/versions/{version_index}/diff/{other_version_index}',
    operationId: 'diffDatasetVersions',
    summary: 'What differs from one version to another, by columns, rows and cells. A page ends after 8 MiB, too.',
    tag: 'datasets',
    bulk: true,
    params: VersionsPath,
    query: DiffQuery,
    response: DatasetDiff,
    handle: ({ caller, params, query }) =>
      datasetDiffService.compare(caller, params.dataset_id, params.version_index, params.other_version_index, query),
  }),
];
