import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { LogStream, LogStreamSearch, LogStreamUpdate, NewLogStream } from '../../../core/projects/log-stream.ts';
import type { LogStreamService } from '../../../core/projects/log-stream-service.ts';
import { Flag } from '../query.ts';
import { type Route, route } from '../route.ts';

const ProjectPath = z.object({ project_id: Id });
const LogStreamPath = z.object({ project_id: Id, log_stream_id: Id });
const CountsQuery = z.object({ include_counts: Flag.optional() });
const PagedCountsQuery = PageQuery.extend({ include_counts: Flag.optional() });
const LogStreamPage = z.object({ ...PageFields, log_streams: z.array(LogStream) }).meta({ id: 'LogStreamPage' });

export const logStreamRoutes = ({ logStreamService }: { logStreamService: LogStreamService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/log_streams',
    operationId: 'createLogStream',
    summary: 'Create a log stream, or answer the one of this name that exists.',
    tag: 'log streams',
    params: ProjectPath,
    body: NewLogStream,
    response: LogStream,
    handle: ({ caller, params, body }) => logStreamService.createLogStream(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/log_streams',
    operationId: 'listLogStreams',
    summary: 'List all log streams of a project, newest first.',
    tag: 'log streams',
    deprecated: true,
    params: ProjectPath,
    query: CountsQuery,
    response: z.array(LogStream),
    handle: ({ caller, params, query }) =>
      logStreamService.listLogStreams(caller, params.project_id, query.include_counts ?? false),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/log_streams/paginated',
    operationId: 'listLogStreamPage',
    summary: 'List log streams page by page, newest first.',
    tag: 'log streams',
    params: ProjectPath,
    query: PagedCountsQuery,
    response: LogStreamPage,
    handle: ({ caller, params, query }) =>
      logStreamService.listLogStreamPage(caller, params.project_id, query, query.include_counts ?? false),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/log_streams/search',
    operationId: 'searchLogStreams',
    summary: 'List log streams page by page, filtered and sorted.',
    tag: 'log streams',
    params: ProjectPath,
    body: LogStreamSearch,
    bodyOptional: true,
    response: LogStreamPage,
    handle: ({ caller, params, body }) => logStreamService.searchLogStreams(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}',
    operationId: 'getLogStream',
    summary: 'Get a log stream.',
    tag: 'log streams',
    params: LogStreamPath,
    response: LogStream,
    handle: ({ caller, params }) => logStreamService.getLogStream(caller, params.project_id, params.log_stream_id),
  }),
  route({
    method: 'put',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}',
    operationId: 'updateLogStream',
    summary: 'Rename a log stream.',
    tag: 'log streams',
    params: LogStreamPath,
    body: LogStreamUpdate,
    response: LogStream,
    handle: ({ caller, params, body }) => logStreamService.updateLogStream(caller, params.project_id, params.log_stream_id, body),
  }),
  route({
    method: 'delete',
    path: '/v2/projects/{project_id}/log_streams/{log_stream_id}',
    operationId: 'deleteLogStream',
    summary: 'Delete a log stream with its records and scores.',
    tag: 'log streams',
    params: LogStreamPath,
    status: 204,
    response: z.void(),
    handle: ({ caller, params }) => logStreamService.deleteLogStream(caller, params.project_id, params.log_stream_id),
  }),
];
