import { join } from 'node:path';
import { OutboxMailer } from '../adapters/mail/outbox-mailer.ts';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import type { Mailer } from '../core/access/users/mailer.ts';
import type { Config } from './env.ts';

const LOCAL_SENDER = 'touchstone@localhost';

/** Mails go to the mail server that is configured, else into a folder where whoever runs the service finds them. */
export function getMailer({ mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  const from = mail.from ?? LOCAL_SENDER;
  return mail.smtpUrl === undefined
    ? new OutboxMailer({ folder: join(dataDir, 'outbox'), from })
    : new SmtpMailer({ url: mail.smtpUrl, from });
}
