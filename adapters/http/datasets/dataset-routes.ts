import { z } from 'zod';
import {
  Dataset,
  DatasetAction,
  DatasetsToDelete,
  DatasetUpdate,
  DeletedDatasets,
  ProjectOfDataset,
} from '../../../core/datasets/dataset.ts';
import { DatasetSearch, NEWEST_DATASETS_FIRST } from '../../../core/datasets/dataset-query.ts';
import type { DatasetService } from '../../../core/datasets/dataset-service.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { repeated } from '../query.ts';
import { type Route, route } from '../route.ts';

export const DatasetPath = z.object({ dataset_id: Id });
const ListQuery = PageQuery.extend({ actions: repeated(DatasetAction, 100).optional() });
const DatasetPage = z.object({ ...PageFields, datasets: z.array(Dataset) }).meta({ id: 'DatasetPage' });
const ProjectPage = z.object({ ...PageFields, projects: z.array(ProjectOfDataset) }).meta({ id: 'ProjectsOfDatasetPage' });
const Deleted = z.object({ message: z.string() }).meta({ id: 'DatasetDeleted' });

export const datasetRoutes = ({ datasetService }: { datasetService: DatasetService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/datasets',
    operationId: 'listDatasets',
    summary: 'List datasets, newest first.',
    tag: 'datasets',
    query: ListQuery,
    response: DatasetPage,
    handle: ({ caller, query }) =>
      datasetService.search(caller, { filters: [], sort: NEWEST_DATASETS_FIRST }, query, query.actions ?? []),
  }),
  route({
    method: 'post',
    path: '/v2/datasets/query',
    operationId: 'queryDatasets',
    summary: 'List datasets, filtered and sorted.',
    tag: 'datasets',
    query: ListQuery,
    body: DatasetSearch,
    bodyOptional: true,
    response: DatasetPage,
    handle: ({ caller, query, body }) => datasetService.search(caller, body, query, query.actions ?? []),
  }),
  route({
    method: 'delete',
    path: '/v2/datasets/bulk_delete',
    operationId: 'deleteDatasets',
    summary: 'Delete several datasets; those that cannot be deleted are named.',
    tag: 'datasets',
    body: DatasetsToDelete,
    response: DeletedDatasets,
    handle: ({ caller, body }) => datasetService.deleteMany(caller, body.dataset_ids),
  }),
  route({
    method: 'get',
    path: '/v2/datasets/{dataset_id}',
    operationId: 'getDataset',
    summary: 'Get a dataset.',
    tag: 'datasets',
    params: DatasetPath,
    response: Dataset,
    handle: ({ caller, params }) => datasetService.get(caller, params.dataset_id),
  }),
  route({
    method: 'patch',
    path: '/v2/datasets/{dataset_id}',
    operationId: 'updateDataset',
    summary: 'Rename or publish a dataset, or map its columns; a mapping makes a new version.',
    tag: 'datasets',
    params: DatasetPath,
    body: DatasetUpdate,
    response: Dataset,
    handle: ({ caller, params, body }) => datasetService.update(caller, params.dataset_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/datasets/{dataset_id}',
    operationId: 'deleteDataset',
    summary: 'Delete a dataset with all its versions.',
    tag: 'datasets',
    params: DatasetPath,
    response: Deleted,
    handle: ({ caller, params }) => datasetService.delete(caller, params.dataset_id),
  }),
  route({
    method: 'get',
    path: '/v2/datasets/{dataset_id}/projects',
    operationId: 'listDatasetProjects',
    summary: 'List the projects that use a dataset.',
    tag: 'datasets',
    params: DatasetPath,
    query: PageQuery,
    response: ProjectPage,
    handle: ({ caller, params, query }) => datasetService.listProjects(caller, params.dataset_id, query),
  }),
];
