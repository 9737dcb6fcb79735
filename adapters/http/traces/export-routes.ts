import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { ExportRequest } from '../../../core/traces/read/export.ts';
import type { ExportService } from '../../../core/traces/read/export-service.ts';
import { fileRoute, type Route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

export const exportRoutes = ({ exportService }: { exportService: ExportService }): Route[] => [
  fileRoute({
    method: 'post',
    path: '/v2/projects/{project_id}/export_records',
    operationId: 'exportRecords',
    summary:
      'Write out sessions, traces or spans of a run, one a line; a connection that breaks off means that lines are missing.',
    tag: 'traces',
    streams: ['application/x-ndjson', 'text/csv', 'application/json'],
    params: z.object({ project_id: Id }),
    maxBodyBytes: MAX_BYTES,
    body: ExportRequest,
    handle: ({ caller, params, body }) => exportService.export(caller, params.project_id, body),
  }),
];
