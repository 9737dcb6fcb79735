import type { Response } from 'express';
import { z } from 'zod';
import { ColumnMapping } from '../../../core/datasets/column-mapping.ts';
import { ContentSearch, DatasetContent } from '../../../core/datasets/content.ts';
import { MAX_ROWS_OF_REPLY } from '../../../core/datasets/content-json.ts';
import type { DatasetContentService } from '../../../core/datasets/dataset-content-service.ts';
import type { DatasetEditService, Expected } from '../../../core/datasets/dataset-edit-service.ts';
import { ContentEdits, ContentReplacement } from '../../../core/datasets/edit.ts';
import { limitInText, PageQuery } from '../../../core/kernel/query/page.ts';
import { type Route, route, streamedRoute } from '../route.ts';
import { DatasetPath } from './dataset-routes.ts';

const Preview = z
  .object({ column_mapping: ColumnMapping.nullish().transform((mapping): ColumnMapping => mapping ?? {}) })
  .meta({ id: 'DatasetPreview' });
/** More than a row has columns; each name costs more to check than a body costs to read. */
const MAX_NAMES_OF_ROW = 10_000;
const NoContent = z.undefined();
const IF_MATCH = { 'If-Match': 'Tags of the versions that the change is meant for, as ETag gave them; `*` or nothing for any.' };
export const ETAG = { ETag: 'Names the version of the rows.' };
/** Clients ask for a whole dataset at once. */
export const ContentQuery = PageQuery.extend({ limit: limitInText(MAX_ROWS_OF_REPLY) });

export const datasetContentRoutes = ({
  datasetContentService,
  datasetEditService,
}: {
  datasetContentService: DatasetContentService;
  datasetEditService: DatasetEditService;
}): Route[] => [
  streamedRoute({
    method: 'get',
    path: '/v2/datasets/{dataset_id}/content',
    operationId: 'getDatasetContent',
    summary: 'Rows of the current version, page by page: up to 100000, or 256 MiB of them. The header ETag names the version.',
    tag: 'datasets',
    params: DatasetPath,
    query: ContentQuery,
    response: DatasetContent,
    replyHeaders: ETAG,
    handle: async ({ caller, params, query, res }) => {
      const { version_id, chunks } = await datasetContentService.read(caller, params.dataset_id, query);
      tag(res, version_id);
      return chunks;
    },
  }),
  route({
    method: 'patch',
    path: '/v2/datasets/{dataset_id}/content',
    operationId: 'editDatasetContent',
    holdsRecords: true,
    maxNames: MAX_NAMES_OF_ROW,
    summary: 'Apply edits, all or none, as one new version. With If-Match only to that version: 412 when there is a newer one.',
    tag: 'datasets',
    status: 204,
    params: DatasetPath,
    body: ContentEdits,
    response: NoContent,
    requestHeaders: IF_MATCH,
    replyHeaders: ETAG,
    errors: [412, 423],
    handle: async ({ caller, params, body, headers, res }) => {
      const version = await datasetEditService.edit(caller, params.dataset_id, body, parseExpected(headers));
      tag(res, version.id);
      return undefined;
    },
  }),
  route({
    method: 'put',
    path: '/v2/datasets/{dataset_id}/content',
    operationId: 'replaceDatasetContent',
    holdsRecords: true,
    summary: 'Go back to an earlier version, or take over the rows of another dataset; a new version in both cases.',
    tag: 'datasets',
    status: 204,
    params: DatasetPath,
    body: ContentReplacement,
    response: NoContent,
    requestHeaders: IF_MATCH,
    replyHeaders: ETAG,
    errors: [412, 423],
    handle: async ({ caller, params, body, headers, res }) => {
      const version = await datasetEditService.replace(caller, params.dataset_id, body, parseExpected(headers));
      tag(res, version.id);
      return undefined;
    },
  }),
  route({
    method: 'post',
    path: '/v2/datasets/{dataset_id}/content/query',
    operationId: 'queryDatasetContent',
    summary: 'Rows of the current version that pass filters, sorted by a column. A page ends after 8 MiB of cells.',
    tag: 'datasets',
    bulk: true,
    params: DatasetPath,
    query: PageQuery,
    body: ContentSearch,
    bodyOptional: true,
    response: DatasetContent,
    replyHeaders: ETAG,
    handle: async ({ caller, params, query, body, res }) => {
      const { version_id, content } = await datasetContentService.search(caller, params.dataset_id, body, query);
      tag(res, version_id);
      return content;
    },
  }),
  route({
    method: 'post',
    path: '/v2/datasets/{dataset_id}/preview',
    operationId: 'previewDataset',
    summary:
      'Rows of the current version as a column mapping would make them; nothing is changed. A page ends after 8 MiB of cells.',
    tag: 'datasets',
    bulk: true,
    params: DatasetPath,
    query: PageQuery,
    body: Preview,
    bodyOptional: true,
    response: DatasetContent,
    handle: ({ caller, params, query, body }) =>
      datasetContentService.preview(caller, params.dataset_id, body.column_mapping, query),
  }),
];

export function tag(res: Response, version_id: string): void {
  res.setHeader('ETag', `"${version_id}"`);
}

/** The tags that are accepted, each compared as it was given out; undefined when all are. A weak tag equals nothing. */
function parseExpected(headers: Readonly<Record<string, string | string[] | undefined>>): Expected {
  const header = headers['if-match'];
  if (typeof header !== 'string' || header.trim() === '*') return undefined;
  return header.split(',').flatMap((one) => /^"([^"]*)"$/.exec(one.trim())?.[1] ?? []);
}
