import { RecordCopy, RecordCopyStarted } from '../../../core/datasets/records/record-copy.ts';
import type { RecordCopyService } from '../../../core/datasets/records/record-copy-service.ts';
import { type Route, route } from '../route.ts';
import { DatasetPath } from './dataset-routes.ts';

export const recordCopyRoutes = ({ recordCopyService }: { recordCopyService: RecordCopyService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/datasets/{dataset_id}/records',
    operationId: 'addRecordsToDataset',
    summary:
      'Add a row for each record, or session, of a run that passes filters, as one version; a job, which says when it is done.',
    tag: 'datasets',
    params: DatasetPath,
    body: RecordCopy,
    response: RecordCopyStarted,
    errors: [404],
    handle: ({ caller, params, body }) => recordCopyService.start(caller, params.dataset_id, body),
  }),
];
