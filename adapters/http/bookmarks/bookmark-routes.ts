import { z } from 'zod';
import { BookmarkPage, BookmarkView, NewBookmark } from '../../../core/bookmarks/bookmark.ts';
import type { BookmarkService } from '../../../core/bookmarks/bookmark-service.ts';
import { PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';
import { ProjectPath } from '../traces/trace-routes.ts';

const BOOKMARKS = '/v2/projects/{project_id}/bookmarks';
const tag = 'bookmarks';
const BookmarkPath = z.object({ project_id: Id, record_id: Id });
const RunQuery = z.object({
  log_stream_id: Id.optional(),
  experiment_id: Id.optional(),
  metrics_testing_id: Id.optional(),
});
const BookmarkQuery = PageQuery.extend({
  ...RunQuery.shape,
  mine: z.stringbool().optional().describe('Leave out those that others share.'),
});
const Deleted = z.object({ message: z.string() }).meta({ id: 'BookmarkDeleted' });

export const bookmarkRoutes = ({ bookmarkService: service }: { bookmarkService: BookmarkService }): Route[] => [
  route({
    method: 'put',
    path: `${BOOKMARKS}/{record_id}`,
    operationId: 'putBookmark',
    summary: 'Put a bookmark on a trace, a span or a session, for oneself or shared; the same again changes nothing.',
    tag,
    params: BookmarkPath,
    body: NewBookmark,
    response: BookmarkView,
    handle: ({ caller, params, body }) => service.put(caller, params.project_id, params.record_id, body),
  }),
  route({
    method: 'get',
    path: BOOKMARKS,
    operationId: 'listBookmarks',
    summary: 'Own bookmarks and those that others share, of a project or of one of its runs, newest first.',
    tag,
    params: ProjectPath,
    query: BookmarkQuery,
    response: BookmarkPage,
    handle: ({ caller, params, query: { starting_token, limit, ...asked } }) =>
      service.list(caller, params.project_id, asked, { starting_token, limit }),
  }),
  route({
    method: 'delete',
    path: `${BOOKMARKS}/{record_id}`,
    operationId: 'deleteBookmark',
    summary: "Take one's own bookmark from a record of the run that is named.",
    tag,
    params: BookmarkPath,
    query: RunQuery,
    response: Deleted,
    handle: ({ caller, params, query }) => service.delete(caller, params.project_id, params.record_id, query),
  }),
];
