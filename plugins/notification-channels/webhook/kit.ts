import { webhook } from './index.ts';

/** The case that the kit tries the plugin with. */
export const webhookKit = {
  plugin: webhook,
  settings: { url: 'https://example.org/hook' },
  otherSettings: { url: 'https://example.org/other-hook' },
  folder: import.meta.dirname,
  keyless: true,
  expected: {
    asks: 'POST https://example.org/hook',
    headers: {
      'webhook-id': '0190a6a0-0000-7000-8000-000000000001',
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,signature of 0190a6a0-0000-7000-8000-000000000001 at 1767225600 over 182 characters',
    },
    body: {
      type: 'alert.firing',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { alert_id: 'a1', alert_name: '<!channel> costly', state: 'firing', value: 12, operator: 'above', threshold: 10 },
    },
  },
} as const;
