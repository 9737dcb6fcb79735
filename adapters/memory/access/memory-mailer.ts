import type { Mail, Mailer } from '../../../core/access/users/mailer.ts';

/** Keeps mails in the order they were sent. */
export class MemoryMailer implements Mailer {
  readonly sent: Mail[] = [];

  async send(mail: Mail): Promise<void> {
    this.sent.push({ ...mail });
  }
}
