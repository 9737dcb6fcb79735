import { pagerduty } from './index.ts';

/** The case that the kit tries the plugin with. */
export const pagerdutyKit = {
  plugin: pagerduty,
  settings: { routing_key: 'canary-of-pagerduty', severity: 'critical' },
  folder: import.meta.dirname,
  expected: {
    asks: 'POST https://events.pagerduty.com/v2/enqueue',
    body: {
      routing_key: 'canary-of-pagerduty',
      event_action: 'trigger',
      dedup_key: 'a1',
      payload: {
        summary: 'Alert "<!channel> costly" fires',
        source: 'touchstone',
        severity: 'critical',
        timestamp: '2026-01-01T00:00:00.000Z',
        custom_details: {
          ...{ alert_id: 'a1', alert_name: '<!channel> costly', state: 'firing', value: 12, operator: 'above', threshold: 10 },
          text: 'It fires when the figure is above 10.\nThe last figure is 12.',
        },
      },
    },
  },
} as const;
