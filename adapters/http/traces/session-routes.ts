import { z } from 'zod';
import { GivenObject } from '../../../core/kernel/given-object.ts';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { asMapByPresetName } from '../../../core/kernel/vocabulary.ts';
import { PartialSearch } from '../../../core/traces/read/selection.ts';
import { RecordCount, RecordSearch } from '../../../core/traces/record-query.ts';
import { NewSession } from '../../../core/traces/sessions/session.ts';
import type { SessionService } from '../../../core/traces/sessions/session-service.ts';
import { type Route, route } from '../route.ts';
import { RemovalReply } from './record-removal-routes.ts';
import { Count, FileAddressQuery, MAX_SEARCH_BYTES, PartialRecordPage, ProjectPath, RecordTree } from './trace-routes.ts';

const SessionPath = z.object({ project_id: Id, session_id: Id });

const CreatedSession = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    project_id: z.string(),
    project_name: z.string(),
    previous_session_id: z.string().nullable(),
    external_id: z.string().nullable(),
  })
  .meta({ id: 'CreatedSession' });

const StoredSession = z
  .object({
    type: z.literal('session'),
    id: z.string(),
    session_id: z.string(),
    project_id: z.string(),
    run_id: z.string(),
    name: z.string().nullable(),
    external_id: z.string().nullable(),
    previous_session_id: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    input: z.unknown(),
    output: z.unknown(),
    user_metadata: GivenObject,
    tags: z.array(z.string()),
    metrics: GivenObject,
    metric_info: asMapByPresetName(GivenObject),
    /** As records have them. */
    feedback_rating_info: GivenObject.optional(),
    annotations: GivenObject.optional(),
    annotation_aggregates: GivenObject.optional(),
    annotation_truths: GivenObject.optional(),
    num_comments: z.int().optional(),
    has_children: z.boolean(),
    is_complete: z.boolean(),
    /** Whether a trace that was logged outside of sessions is it by itself. */
    is_implicit: z.boolean(),
    num_traces: z.int().nullable(),
  })
  .meta({ id: 'StoredSession' });
const SessionPage = z
  .object({ ...PageFields, last_row_id: z.string().nullable(), records: z.array(StoredSession) })
  .meta({ id: 'SessionPage' });
const SessionWithTraces = StoredSession.extend({ ...PageFields, traces: z.array(RecordTree) }).meta({ id: 'SessionWithTraces' });

export const sessionRoutes = ({ sessionService }: { sessionService: SessionService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/sessions',
    operationId: 'createSession',
    summary: 'Start a session; answers the one that has this external id already.',
    tag: 'sessions',
    params: ProjectPath,
    body: NewSession,
    response: CreatedSession,
    handle: ({ caller, params, body }) => sessionService.createSession(caller, params.project_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/sessions/search',
    operationId: 'searchSessions',
    summary: 'Find sessions of a run by filters, sorted, page by page.',
    tag: 'sessions',
    bulk: true,
    params: ProjectPath,
    maxBodyBytes: MAX_SEARCH_BYTES,
    body: RecordSearch,
    response: SessionPage,
    handle: ({ caller, params, body }) => sessionService.searchSessions(caller, params.project_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/sessions/partial_search',
    operationId: 'searchSessionsPartly',
    summary: 'Find sessions of a run likewise, with the selected columns only.',
    tag: 'sessions',
    bulk: true,
    params: ProjectPath,
    maxBodyBytes: MAX_SEARCH_BYTES,
    body: PartialSearch,
    response: PartialRecordPage,
    handle: ({ caller, params, body }) => sessionService.searchSessionsPartly(caller, params.project_id, body) as Promise<never>,
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/sessions/count',
    operationId: 'countSessions',
    summary: 'Count sessions of a run by filters.',
    tag: 'sessions',
    params: ProjectPath,
    maxBodyBytes: MAX_SEARCH_BYTES,
    body: RecordCount,
    response: Count,
    handle: ({ caller, params, body }) => sessionService.countSessions(caller, params.project_id, body),
  }),
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/sessions/delete',
    operationId: 'deleteSessions',
    summary: 'Delete sessions of a run by filters, with their traces, spans and scores; without filters, all of them.',
    tag: 'sessions',
    params: ProjectPath,
    maxBodyBytes: MAX_SEARCH_BYTES,
    body: RecordCount,
    response: RemovalReply,
    handle: ({ caller, params, body }) => sessionService.deleteSessions(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/sessions/{session_id}',
    operationId: 'getSession',
    summary: 'A session with its traces as trees, oldest first, page by page. A page ends after 8 MiB, too.',
    tag: 'sessions',
    bulk: true,
    params: SessionPath,
    query: PageQuery.extend(FileAddressQuery.shape),
    response: SessionWithTraces,
    handle: ({ caller, params, query }) =>
      sessionService.getSession(caller, params.project_id, params.session_id, query) as Promise<never>,
  }),
];
