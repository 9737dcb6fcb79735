import type {
  NewNotificationRoute,
  NotificationRoute,
  NotificationRouteTrial,
} from '../../core/trends/routing/notification-route.ts';
import type { WebhookDelivery } from '../../core/trends/webhook.ts';

type Trial = Pick<NotificationRouteTrial | WebhookDelivery, 'status' | 'response_status' | 'error'>;

export const SEVERITIES = ['info', 'warning', 'critical'] as const satisfies NotificationRoute['severities'];

export const routesPath = (project_id: string): string => `/projects/${project_id}/notification-routes`;

export const routePath = ({ project_id, id }: NotificationRoute): string => `${routesPath(project_id)}/${id}`;

/** Severities in words; all of them in one. */
export const severitiesText = (severities: NotificationRoute['severities']): string =>
  SEVERITIES.every((one) => severities.includes(one)) ? 'all' : severities.join(', ');

/** Fields of the form beside the channel. */
export const toRoute = (values: FormData): Pick<NewNotificationRoute, 'name' | 'severities'> => ({
  name: String(values.get('name')).trim(),
  severities: SEVERITIES.filter((one) => values.getAll('severity').includes(one)),
});

/** Result of a test, of a route or of an alert. */
export const trialText = ({ status, response_status, error }: Trial): string => {
  if (status === 'delivered') return `The test was delivered${response_status === null ? '' : `: ${response_status}`}.`;
  return `The test was not delivered: ${error ?? response_status ?? status}.`;
};
