import type { DatasetExtensionService } from '../../../core/datasets/extension/dataset-extension-service.ts';
import { ExtensionProgress, ExtensionRequest, ExtensionStarted } from '../../../core/datasets/extension/extension.ts';
import { type Route, route } from '../route.ts';
import { DatasetPath } from './dataset-routes.ts';

interface Services {
  readonly datasetExtensionService: DatasetExtensionService;
}

export const datasetExtensionRoutes = ({ datasetExtensionService }: Services): Route[] => [
  route({
    method: 'post',
    path: '/v2/datasets/extend',
    operationId: 'extendDataset',
    summary: 'Make a dataset of rows that a model makes up, after the pattern of another or of a description.',
    tag: 'datasets',
    body: ExtensionRequest,
    response: ExtensionStarted,
    errors: [400, 404],
    handle: ({ caller, body }) => datasetExtensionService.start(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/datasets/extend/{dataset_id}',
    operationId: 'getDatasetExtension',
    summary: 'How far a dataset is from being filled; the steps are equal once there is nothing more to wait for.',
    tag: 'datasets',
    params: DatasetPath,
    response: ExtensionProgress,
    handle: ({ caller, params }) => datasetExtensionService.progress(caller, params.dataset_id),
  }),
];
