import { z } from 'zod';
import { CommentPage, CommentUpdate, CommentView, NewComment } from '../../../core/comments/comment.ts';
import type { CommentService } from '../../../core/comments/comment-service.ts';
import { PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';
import { ProjectPath } from '../traces/trace-routes.ts';

const COMMENTS = '/v2/projects/{project_id}/comments';
const tag = 'comments';
const CommentPath = z.object({ project_id: Id, comment_id: Id });
const CommentQuery = PageQuery.extend({
  log_stream_id: Id.optional(),
  experiment_id: Id.optional(),
  metrics_testing_id: Id.optional(),
  record_id: Id.optional().describe('A trace, a span or a session of the run that is named with it.'),
});
const Deleted = z.object({ message: z.string() }).meta({ id: 'CommentDeleted' });

export const commentRoutes = ({ commentService: service }: { commentService: CommentService }): Route[] => [
  route({
    method: 'post',
    path: COMMENTS,
    operationId: 'createComment',
    summary: 'Write something about a trace, a span or a session, for all who may read the project.',
    tag,
    params: ProjectPath,
    body: NewComment,
    response: CommentView,
    handle: ({ caller, params, body }) => service.create(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: COMMENTS,
    operationId: 'listComments',
    summary: 'Comments of a project, of one of its runs or of one record of that run, newest first.',
    tag,
    params: ProjectPath,
    query: CommentQuery,
    response: CommentPage,
    handle: ({ caller, params, query: { starting_token, limit, ...asked } }) =>
      service.list(caller, params.project_id, asked, { starting_token, limit }),
  }),
  route({
    method: 'patch',
    path: `${COMMENTS}/{comment_id}`,
    operationId: 'updateComment',
    summary: 'Change the text of an own comment.',
    tag,
    params: CommentPath,
    body: CommentUpdate,
    response: CommentView,
    handle: ({ caller, params, body }) => service.update(caller, params.project_id, params.comment_id, body),
  }),
  route({
    method: 'delete',
    path: `${COMMENTS}/{comment_id}`,
    operationId: 'deleteComment',
    summary: 'Delete a comment: an own one, or any of a project that one may change.',
    tag,
    params: CommentPath,
    response: Deleted,
    handle: ({ caller, params }) => service.delete(caller, params.project_id, params.comment_id),
  }),
];
