import { defineNotificationChannel, httpClient, type Notification, secret, z } from '../../../core/plugin-sdk/index.ts';

/** Limits of the Events API v2. */
const MAX_SUMMARY = 1_024;
const SEVERITIES = ['critical', 'error', 'warning', 'info'] as const;

const Settings = z.strictObject({
  routing_key: secret(z.string().regex(/^[\x21-\x7e]{1,100}$/)).describe(
    'The integration key of a service with the Events API v2.',
  ),
  severity: z.enum(SEVERITIES).optional().describe('How bad it is when the alert fires. Empty: as the alert says.'),
  events_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .default('https://events.pagerduty.com/v2/enqueue')
    .describe('Where events go: https://events.eu.pagerduty.com/v2/enqueue in the European region.'),
});

/**
 * Opens an incident when an alert fires or gets no data, and resolves it when the alert is over: events of one alert have one
 * `dedup_key`, so that neither repeated deliveries nor a second state of the same alert open another incident.
 */
export const pagerduty = defineNotificationChannel({
  id: 'pagerduty',
  sdk: 1,
  stability: 'experimental',
  label: 'PagerDuty',
  summary: 'Opens and resolves incidents in PagerDuty by its Events API v2.',
  settings: Settings,
  create: (host, { routing_key, severity, events_url }) => {
    const upstream = httpClient(host, 'pagerduty');
    return {
      async send(notification, signal) {
        const body = JSON.stringify({ routing_key, ...toEvent(notification, severity) });
        const headers = { 'content-type': 'application/json' };
        const { status } = await upstream.fetch(events_url, { method: 'POST', headers, body, signal });
        return { status };
      },
    };
  },
});

function toEvent({ id, type, timestamp, title, text, data }: Notification, severity: (typeof SEVERITIES)[number] | undefined) {
  // A test has an incident of its own, so that it neither joins nor resolves a real one.
  const dedup_key = type === 'alert.test' ? id : `${data.alert_id}`;
  if (type === 'alert.resolved') return { event_action: 'resolve', dedup_key };
  const summary = [...title].slice(0, MAX_SUMMARY).join('');
  const own = SEVERITIES.find((one) => one === data.severity);
  const how = { 'alert.firing': severity ?? own ?? 'error', 'alert.no_data': own ?? 'warning', 'alert.test': 'info' } as const;
  const custom_details = { ...data, text };
  const payload = { summary, source: 'touchstone', severity: how[type], timestamp, custom_details };
  const href = /^https?:\/\/\S+$/m.exec(text)?.[0];
  return { event_action: 'trigger', dedup_key, payload, ...(href && { links: [{ href, text: 'The alert in the console' }] }) };
}
