import { sampleChannel } from './index.ts';

/** The case that the kit tries the plugin with. */
export const sampleChannelKit = {
  plugin: sampleChannel,
  settings: { endpoint: 'https://chat.sample-channel.example/messages', token: 'canary-of-sample-channel' },
  folder: import.meta.dirname,
  expected: {
    asks: 'POST https://chat.sample-channel.example/messages',
    headers: { authorization: 'Bearer canary-of-sample-channel' },
    body: { id: '0190a6a0-0000-7000-8000-000000000001', text: 'Alert "<!channel> costly" fires' },
  },
} as const;
