import type { Notification } from '../plugin-sdk/index.ts';
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
  const { alert_name, operator, threshold, value, bucket_start, bucket_end } = data;
  const title = `Alert "${text(alert_name)}" ${HAPPENED[type]}`;
  const lines = [
    `It fires when the figure is ${text(operator)} ${text(threshold)}.`,
    ...(typeof value === 'number' ? [`The last figure is ${value}.`] : []),
    ...(typeof bucket_end === 'string' ? [`Looked at: ${text(bucket_start)} to ${bucket_end}.`] : []),
    ...(publicUrl === undefined ? [] : [addressOf(publicUrl, data)]),
  ];
  return { id, type, timestamp, data, title, text: lines.join('\n') };
}

const addressOf = (publicUrl: string, { project_id, log_stream_id, alert_id }: WebhookEvent['data']): string =>
  `${publicUrl.replace(/\/$/, '')}/#/projects/${project_id}/log_streams/${log_stream_id}/trends/alerts/${alert_id}`;

const text = (value: unknown): string => String(value ?? '');
