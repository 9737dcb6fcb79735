import { defineNotificationChannel, Endpoint, httpClient, Token, z } from '../../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  endpoint: Endpoint.describe('The URL that is posted to.'),
  token: Token.describe('An API key.'),
});

export const sampleChannel = defineNotificationChannel({
  id: 'sample_channel',
  sdk: 1,
  stability: 'experimental',
  label: 'Sample channel',
  summary: 'Posts the title to a URL.',
  settings: Settings,
  create: (host, { endpoint, token }) => {
    const far = httpClient(host, 'sample_channel');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return {
      async send({ id, title }, signal) {
        const body = JSON.stringify({ id, text: title });
        const { status } = await far.fetch(endpoint, { method: 'POST', headers, body, signal });
        return { status };
      },
    };
  },
});
