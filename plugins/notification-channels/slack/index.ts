import { defineNotificationChannel, httpClient, secret, z } from '../../../core/plugin-sdk/index.ts';

const MAX_HEADER = 150;
const MAX_SECTION = 3_000;

const Settings = z.strictObject({
  webhook_url: secret(z.url({ protocol: /^https?$/ }).max(2048)).describe('The URL of an incoming webhook.'),
});

/** Posts to an incoming webhook. Names that users gave stand in plain text alone, so that none of them calls a whole channel. */
export const slack = defineNotificationChannel({
  id: 'slack',
  sdk: 1,
  stability: 'experimental',
  label: 'Slack',
  summary: 'Posts to a channel of Slack by an incoming webhook.',
  settings: Settings,
  create: (host, { webhook_url }) => {
    const far = httpClient(host, 'slack');
    return {
      async send({ title, text }, signal) {
        const blocks = [
          { type: 'header', text: plain(title, MAX_HEADER) },
          { type: 'section', text: plain(text, MAX_SECTION) },
        ];
        const body = JSON.stringify({ text: escaped(title), blocks });
        const headers = { 'content-type': 'application/json' };
        const { status } = await far.fetch(webhook_url, { method: 'POST', headers, body, signal });
        return { status };
      },
    };
  },
});

const plain = (text: string, most: number) => ({ type: 'plain_text', text: [...text].slice(0, most).join(''), emoji: false });

/** Escapes the beginning of a mention or a link in text that is shown where there are no blocks. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
