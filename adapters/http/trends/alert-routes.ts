import { z } from 'zod';
import { PageFields, PageQuery } from '../../../core/kernel/query/page.ts';
import { Id } from '../../../core/kernel/text.ts';
import { Alert, AlertTransition, AlertUpdate, AlertWithSecret, NewAlert } from '../../../core/trends/alert.ts';
import { NotificationChannelView } from '../../../core/trends/alert-channels.ts';
import type { AlertService } from '../../../core/trends/alert-service.ts';
import { WebhookDelivery } from '../../../core/trends/webhook.ts';
import { type Route, route } from '../route.ts';
import { LogStreamPath, TRENDS } from './trends-paths.ts';

const ALERT = `${TRENDS}/alerts/{alert_id}`;
const AlertPath = LogStreamPath.extend({ alert_id: Id });
const tag = 'trends';

const history = ({ alertService }: { alertService: AlertService }): Route[] => [
  route({
    method: 'get',
    path: `${ALERT}/transitions`,
    operationId: 'listAlertTransitions',
    summary: 'Changes of the state of an alert, newest first.',
    tag,
    params: AlertPath,
    query: PageQuery,
    response: z.object({ ...PageFields, transitions: z.array(AlertTransition) }).meta({ id: 'AlertTransitionPage' }),
    handle: ({ caller, params: { alert_id, ...key }, query }) => alertService.listTransitions(caller, key, alert_id, query),
  }),
  route({
    method: 'get',
    path: `${ALERT}/deliveries`,
    operationId: 'listAlertDeliveries',
    summary: 'Notifications of an alert and what came of them, newest first.',
    tag,
    params: AlertPath,
    query: PageQuery,
    response: z.object({ ...PageFields, deliveries: z.array(WebhookDelivery) }).meta({ id: 'WebhookDeliveryPage' }),
    handle: ({ caller, params: { alert_id, ...key }, query }) => alertService.listDeliveries(caller, key, alert_id, query),
  }),
  route({
    method: 'post',
    path: `${ALERT}/test`,
    operationId: 'testAlert',
    summary: 'Send a notification that says it is a test, and tell what came of it.',
    tag,
    params: AlertPath,
    response: WebhookDelivery,
    handle: ({ caller, params: { alert_id, ...key } }) => alertService.testAlert(caller, key, alert_id),
  }),
  route({
    method: 'post',
    path: `${ALERT}/secret`,
    operationId: 'renewAlertSecret',
    summary: 'Give the webhooks of an alert a new secret; it is shown this once.',
    tag,
    params: AlertPath,
    response: z.object({ webhook_secret: z.string() }),
    handle: ({ caller, params: { alert_id, ...key } }) => alertService.renewSecret(caller, key, alert_id),
  }),
];

export const alertRoutes = ({ alertService }: { alertService: AlertService }): Route[] => [
  route({
    method: 'get',
    path: '/v2/notification_channels',
    operationId: 'listNotificationChannels',
    summary: 'The ways to tell people of alerts.',
    tag,
    response: z.object({ channels: z.array(NotificationChannelView) }).meta({ id: 'NotificationChannelList' }),
    handle: () => alertService.listChannels(),
  }),
  route({
    method: 'post',
    path: `${TRENDS}/alerts`,
    operationId: 'createAlert',
    summary: 'Watch a widget; the secret of its webhooks is shown this once.',
    tag,
    params: LogStreamPath,
    body: NewAlert,
    response: AlertWithSecret,
    handle: ({ caller, params, body }) => alertService.createAlert(caller, params, body),
  }),
  route({
    method: 'get',
    path: `${TRENDS}/alerts`,
    operationId: 'listAlerts',
    summary: 'List the alerts of a log stream, oldest first.',
    tag,
    params: LogStreamPath,
    response: z.object({ alerts: z.array(Alert) }),
    handle: ({ caller, params }) => alertService.listAlerts(caller, params),
  }),
  route({
    method: 'get',
    path: ALERT,
    operationId: 'getAlert',
    summary: 'Get an alert with its state.',
    tag,
    params: AlertPath,
    response: Alert,
    handle: ({ caller, params: { alert_id, ...key } }) => alertService.getAlert(caller, key, alert_id),
  }),
  route({
    method: 'patch',
    path: ALERT,
    operationId: 'updateAlert',
    summary: 'Change an alert; where what it watches changes, its state begins anew.',
    tag,
    params: AlertPath,
    body: AlertUpdate,
    response: Alert,
    handle: ({ caller, params: { alert_id, ...key }, body }) => alertService.updateAlert(caller, key, alert_id, body),
  }),
  route({
    method: 'delete',
    path: ALERT,
    operationId: 'deleteAlert',
    summary: 'Remove an alert with its history.',
    tag,
    params: AlertPath,
    status: 204,
    response: z.void(),
    handle: ({ caller, params: { alert_id, ...key } }) => alertService.deleteAlert(caller, key, alert_id),
  }),
  ...history({ alertService }),
];
