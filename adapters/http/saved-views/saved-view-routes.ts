import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import { NewSavedView, SavedView, SavedViewUpdate } from '../../../core/saved-views/saved-view.ts';
import type { SavedViewService } from '../../../core/saved-views/saved-view-service.ts';
import { type Route, route } from '../route.ts';
import { ProjectPath } from '../traces/trace-routes.ts';

const VIEWS = '/v2/projects/{project_id}/views';
/** All that somebody sees of a project is listed at once. */
const MAX_VIEW_BYTES = 32 * 1024;
const tag = 'saved views';
const ViewPath = z.object({ project_id: Id, view_id: Id });
const Deleted = z.object({ message: z.string() }).meta({ id: 'SavedViewDeleted' });

export const savedViewRoutes = ({ savedViewService: service }: { savedViewService: SavedViewService }): Route[] => [
  route({
    method: 'post',
    path: VIEWS,
    operationId: 'createSavedView',
    summary: 'Save how a list of records stands: for oneself, or for all who may read the project.',
    tag,
    params: ProjectPath,
    body: NewSavedView,
    maxBodyBytes: MAX_VIEW_BYTES,
    response: SavedView,
    handle: ({ caller, params, body }) => service.create(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: VIEWS,
    operationId: 'listSavedViews',
    summary: 'The shared views of a project, and the own ones.',
    tag,
    params: ProjectPath,
    response: z.array(SavedView),
    handle: ({ caller, params }) => service.list(caller, params.project_id),
  }),
  route({
    method: 'get',
    path: `${VIEWS}/{view_id}`,
    operationId: 'getSavedView',
    summary: 'A saved view.',
    tag,
    params: ViewPath,
    response: SavedView,
    handle: ({ caller, params }) => service.get(caller, params.project_id, params.view_id),
  }),
  route({
    method: 'patch',
    path: `${VIEWS}/{view_id}`,
    operationId: 'updateSavedView',
    summary: 'Rename or share a view, or save another state in it.',
    tag,
    params: ViewPath,
    body: SavedViewUpdate,
    maxBodyBytes: MAX_VIEW_BYTES,
    response: SavedView,
    handle: ({ caller, params, body }) => service.update(caller, params.project_id, params.view_id, body),
  }),
  route({
    method: 'delete',
    path: `${VIEWS}/{view_id}`,
    operationId: 'deleteSavedView',
    summary: 'Delete a saved view; the records stay.',
    tag,
    params: ViewPath,
    response: Deleted,
    handle: ({ caller, params }) => service.delete(caller, params.project_id, params.view_id),
  }),
];
