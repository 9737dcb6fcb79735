import { defineNotificationChannel, PluginError, z } from '../../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  to: z.email().max(254).describe('One address; several people are told by a list of theirs.'),
});

/** Sends mail by the mail server of the service. */
export const email = defineNotificationChannel({
  id: 'email',
  sdk: 1,
  stability: 'experimental',
  label: 'E-mail',
  summary: 'Sends a mail to one address.',
  settings: Settings,
  create: (host, { to }) => ({
    async send({ title, text }, signal) {
      signal.throwIfAborted();
      refuseForeign(to, host.operatorSetting?.('email_domains'));
      await host.sendMail({ to, subject: title, text });
      return undefined;
    },
  }),
});

/** Whoever edits an alert has mail sent to where they like: the operator may set where that may be. */
function refuseForeign(to: string, domains: string | undefined): void {
  const allowed = (domains ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((domain) => domain !== '');
  const domain = to.slice(to.lastIndexOf('@') + 1).toLowerCase();
  if (allowed.length > 0 && !allowed.includes(domain))
    throw new PluginError('unsupported', `mail is not sent to ${domain}: it is not among the email_domains of the service`);
}
