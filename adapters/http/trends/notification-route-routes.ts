import { z } from 'zod';
import { Id } from '../../../core/kernel/text.ts';
import {
  NewNotificationRoute,
  NotificationRoute,
  NotificationRouteTrial,
  NotificationRouteUpdate,
  NotificationRouteWithSecret,
} from '../../../core/trends/routing/notification-route.ts';
import type { NotificationRouteService } from '../../../core/trends/routing/notification-route-service.ts';
import { type Route, route } from '../route.ts';

const ROUTES = '/v2/projects/{project_id}/notification-routes';
const ROUTE = `${ROUTES}/{route_id}`;
const ProjectPath = z.object({ project_id: Id });
const RoutePath = ProjectPath.extend({ route_id: Id });
const tag = 'trends';

interface Deps {
  readonly notificationRouteService: NotificationRouteService;
}

/** Routes of alerts to channels. */
export const notificationRouteRoutes = ({ notificationRouteService: service }: Deps): Route[] => [
  route({
    method: 'post',
    path: ROUTES,
    operationId: 'createNotificationRoute',
    summary: 'Say where alerts of some severities go; the secret of its webhooks is shown this once.',
    tag,
    params: ProjectPath,
    body: NewNotificationRoute,
    response: NotificationRouteWithSecret,
    handle: ({ caller, params: { project_id }, body }) => service.createRoute(caller, project_id, body),
  }),
  route({
    method: 'get',
    path: ROUTES,
    operationId: 'listNotificationRoutes',
    summary: 'List the notification routes of a project, oldest first.',
    tag,
    params: ProjectPath,
    response: z.object({ routes: z.array(NotificationRoute) }).meta({ id: 'NotificationRouteList' }),
    handle: ({ caller, params: { project_id } }) => service.listRoutes(caller, project_id),
  }),
  route({
    method: 'get',
    path: ROUTE,
    operationId: 'getNotificationRoute',
    summary: 'Get a notification route.',
    tag,
    params: RoutePath,
    response: NotificationRoute,
    handle: ({ caller, params: { project_id, route_id } }) => service.getRoute(caller, project_id, route_id),
  }),
  route({
    method: 'patch',
    path: ROUTE,
    operationId: 'updateNotificationRoute',
    summary: 'Change a notification route.',
    tag,
    params: RoutePath,
    body: NotificationRouteUpdate,
    response: NotificationRoute,
    handle: ({ caller, params: { project_id, route_id }, body }) => service.updateRoute(caller, project_id, route_id, body),
  }),
  route({
    method: 'delete',
    path: ROUTE,
    operationId: 'deleteNotificationRoute',
    summary: 'Remove a notification route. What it has not told yet is given up.',
    tag,
    params: RoutePath,
    status: 204,
    response: z.void(),
    handle: ({ caller, params: { project_id, route_id } }) => service.deleteRoute(caller, project_id, route_id),
  }),
  route({
    method: 'post',
    path: `${ROUTE}/test`,
    operationId: 'testNotificationRoute',
    summary: 'Send a notification that says it is a test, and tell what came of it.',
    tag,
    params: RoutePath,
    response: NotificationRouteTrial,
    handle: ({ caller, params: { project_id, route_id } }) => service.testRoute(caller, project_id, route_id),
  }),
  route({
    method: 'post',
    path: `${ROUTE}/secret`,
    operationId: 'renewNotificationRouteSecret',
    summary: 'Give the webhooks of a notification route a new secret; it is shown this once.',
    tag,
    params: RoutePath,
    response: z.object({ webhook_secret: z.string() }),
    handle: ({ caller, params: { project_id, route_id } }) => service.renewSecret(caller, project_id, route_id),
  }),
];
