import { email } from './index.ts';

/** The case that the kit tries the plugin with. */
export const emailKit = {
  plugin: email,
  settings: { to: 'on-call@example.org' },
  otherSettings: { to: 'others@example.org' },
  folder: import.meta.dirname,
  keyless: true,
  expected: {
    mail: {
      to: 'on-call@example.org',
      subject: 'Alert "<!channel> costly" fires',
      text: 'It fires when the figure is above 10.\nThe last figure is 12.',
    },
  },
} as const;
