import { slack } from './index.ts';

/** The case that the kit tries the plugin with. */
export const slackKit = {
  plugin: slack,
  settings: { webhook_url: 'https://hooks.slack.com/services/canary-of-slack' },
  folder: import.meta.dirname,
  expected: {
    asks: 'POST https://hooks.slack.com/services/canary-of-slack',
    body: {
      text: 'Alert "&lt;!channel&gt; costly" fires',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Alert "<!channel> costly" fires', emoji: false } },
        {
          type: 'section',
          text: { type: 'plain_text', text: 'It fires when the figure is above 10.\nThe last figure is 12.', emoji: false },
        },
      ],
    },
  },
} as const;
