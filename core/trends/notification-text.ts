import type { Notification } from '../plugin-sdk/index.ts';
import type { StoredRoute } from './routing/notification-route.ts';
import type { WebhookEvent } from './webhook.ts';

const HAPPENED: Readonly<Record<WebhookEvent['type'], string>> = {
  'alert.firing': 'fires',
  'alert.no_data': 'gets no data',
  'alert.resolved': 'is over',
  'alert.test': 'is tried: this is a test',
};

/** An event as channels get it: for programs, and in words for people. `publicUrl`: where the console is, if that is known. */
export function toNotification(id: string, event: WebhookEvent, publicUrl: string | undefined): Notification {
  const { type, timestamp, data } = event;
  const { alert_name, operator, threshold, value, previous_value, bucket_start, bucket_end, severity } = data;
  const { interval, for_buckets, watches } = data;
  const figure = watches === 'drift' ? 'population stability index' : 'figure';
  const title = `Alert "${text(alert_name)}" ${HAPPENED[type]}${data.is_reminder === true ? ' (reminder)' : ''}`;
  const lines = [
    `It fires when the ${figure} is ${text(operator)} ${text(threshold)}${windowOf(for_buckets, interval)}.`,
    ...(typeof value === 'number'
      ? [`The last ${figure} is ${value}${typeof previous_value === 'number' ? `, after ${previous_value}` : ''}.`]
      : []),
    ...(typeof severity === 'string' ? [`Severity: ${severity}.`] : []),
    ...(typeof bucket_end === 'string' ? [`Looked at: ${text(bucket_start)} to ${bucket_end}.`] : []),
    ...(publicUrl === undefined ? [] : [addressOf(publicUrl, data), `Its chart: ${chartOf(publicUrl, data)}`]),
  ];
  return { id, type, timestamp, data, title, text: lines.join('\n') };
}

const windowOf = (count: unknown, interval: unknown): string =>
  typeof interval === 'string' ? ` for ${count === 1 ? `one ${interval}` : `${text(count)} ${interval}s in a row`}` : '';

/** A test of a route: it is of no alert. */
export function toRouteTest(id: string, timestamp: string, route: StoredRoute, publicUrl: string | undefined): Notification {
  const { project_id, settings } = route;
  const facts = { project_id, route_id: route.id, route_name: settings.name, severities: settings.severities };
  const data = { alert_id: null, alert_name: null, state: 'ok', value: null, threshold: null, ...facts };
  const lines = [
    `Alerts of the project come here whose severity is ${settings.severities.join(' or ')}, and that have no channel of their own.`,
    ...(publicUrl === undefined ? [] : [`${projectOf(publicUrl, data)}/settings`]),
  ];
  const title = `Route "${settings.name}" is tried: this is a test`;
  return { id, type: 'alert.test', timestamp, data, title, text: lines.join('\n') };
}

const projectOf = (publicUrl: string, { project_id }: WebhookEvent['data']): string =>
  `${publicUrl.replace(/\/$/, '')}/#/projects/${project_id}`;

const trendsOf = (publicUrl: string, data: WebhookEvent['data']): string =>
  `${projectOf(publicUrl, data)}/log_streams/${data.log_stream_id}/trends`;

/** The widget that is watched, alone. */
const chartOf = (publicUrl: string, data: WebhookEvent['data']): string =>
  `${trendsOf(publicUrl, data)}?widget=${encodeURIComponent(text(data.widget_id))}`;

const addressOf = (publicUrl: string, data: WebhookEvent['data']): string =>
  `${trendsOf(publicUrl, data)}/alerts/${data.alert_id}`;

const text = (value: unknown): string => String(value ?? '');
