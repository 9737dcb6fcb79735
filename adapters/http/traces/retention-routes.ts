import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { Retention, RetentionPreview, RetentionUpdate } from '../../../core/traces/retention/retention.ts';
import type { RetentionService } from '../../../core/traces/retention/retention-service.ts';
import { type Route, route } from '../route.ts';

const ProjectPath = z.object({ project_id: Id });
const LogStreamPath = z.object({ project_id: Id, log_stream_id: Id });

const ofProject = ({ retentionService }: { retentionService: RetentionService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/retention',
    operationId: 'getProjectRetention',
    summary: 'For how many days the log streams of the project keep their traces.',
    tag: 'retention',
    params: ProjectPath,
    response: Retention,
    handle: ({ caller, params }) => retentionService.get(caller, params.project_id, null),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/retention',
    operationId: 'setProjectRetention',
    summary: 'Set for how many days the log streams of the project keep their traces; null keeps them for ever.',
    tag: 'retention',
    params: ProjectPath,
    body: RetentionUpdate,
    response: Retention,
    handle: ({ caller, params, body }) => retentionService.set(caller, params.project_id, null, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/retention/dry_run',
    operationId: 'previewProjectRetention',
    summary: 'Count what would be removed from the log streams of the project now.',
    tag: 'retention',
    params: ProjectPath,
    response: RetentionPreview,
    handle: ({ caller, params }) => retentionService.preview(caller, params.project_id, null),
  }),
];

const ofLogStream = ({ retentionService }: { retentionService: RetentionService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}/retention',
    operationId: 'getLogStreamRetention',
    summary: 'For how many days the log stream keeps its traces.',
    tag: 'retention',
    params: LogStreamPath,
    response: Retention,
    handle: ({ caller, params }) => retentionService.get(caller, params.project_id, params.log_stream_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}/retention',
    operationId: 'setLogStreamRetention',
    summary: 'Set for how many days the log stream keeps its traces; null leaves it to the project.',
    tag: 'retention',
    params: LogStreamPath,
    body: RetentionUpdate,
    response: Retention,
    handle: ({ caller, params, body }) => retentionService.set(caller, params.project_id, params.log_stream_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}/retention/dry_run',
    operationId: 'previewLogStreamRetention',
    summary: 'Count what would be removed from the log stream now.',
    tag: 'retention',
    params: LogStreamPath,
    response: RetentionPreview,
    handle: ({ caller, params }) => retentionService.preview(caller, params.project_id, params.log_stream_id),
  }),
];

export const retentionRoutes = (deps: { retentionService: RetentionService }): Route[] => [
  ...ofProject(deps),
  ...ofLogStream(deps),
];
