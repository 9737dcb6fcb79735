import { z } from 'zod';
import { DataExport, DataExportUpdate } from '../../../core/data-export/data-export.ts';
import type { DataExportService } from '../../../core/data-export/data-export-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const tag = 'data export';
const params = z.object({ project_id: Id });

export const dataExportRoutes = ({ dataExportService }: { dataExportService: DataExportService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/data-export',
    operationId: 'getDataExport',
    summary: 'Whether the records and scores of a project are exported as Parquet files, and how far that is.',
    tag,
    params,
    response: DataExport,
    handle: ({ caller, params: { project_id } }) => dataExportService.get(caller, project_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/data-export',
    operationId: 'setDataExport',
    summary: 'Enable or disable the export of a project, and choose its files. What is in files already stays there.',
    tag,
    params,
    body: DataExportUpdate,
    response: DataExport,
    handle: ({ caller, params: { project_id }, body }) => dataExportService.set(caller, project_id, body),
  }),
];
