import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mail, Mailer } from '../../../core/access/users/mailer.ts';
import type { Opened } from '../opened.ts';

export interface OpenedMailer extends Opened<Mailer> {
  /** Returns the mails that arrived at the upstream service, in any order: a header by its name in lower case, and the text. */
  arrived(): Promise<readonly ArrivedMail[]>;
}

export interface ArrivedMail {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const mail: Mail = { to: 'ada@example.org', subject: 'Grüße', text: 'Your code:\n\n  tsv_0123456789\n\nIt is one of “ours”.\n' };

/** `from` has to be `MAIL_FROM` of the adapter that is opened. */
export const MAIL_FROM = 'Touchstone <noreply@example.org>';

export function mailerContract(adapter: string, open: () => Promise<OpenedMailer>): void {
  describe(`Mailer, ${adapter}`, () => {
    let opened: OpenedMailer;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());

    it('hands over a mail as it was given', async () => {
      await opened.port.send(mail);
      const [arrived] = await opened.arrived();
      expect(arrived).toMatchObject({ headers: { from: MAIL_FROM, to: mail.to, subject: mail.subject }, text: mail.text });
    });

    it('keeps mails apart that are sent at once', async () => {
      const texts = Array.from({ length: 8 }, (_, index) => `number ${index}\n`);
      await Promise.all(texts.map((text) => opened.port.send({ ...mail, text })));
      expect((await opened.arrived()).map(({ text }) => text).sort()).toEqual(texts);
    });

    it('lets no subject add a header', async () => {
      await opened.port.send({ ...mail, subject: 'Hello\r\nBcc: eve@example.org\u2028X-Other: 1' });
      const [arrived] = await opened.arrived();
      expect(Object.keys(arrived!.headers)).not.toContain('bcc');
      expect(arrived!.headers.subject).toBe('Hello Bcc: eve@example.org X-Other: 1');
    });

    it.each([
      'ada@example.org\r\nBcc: eve@example.org',
      'ada@example.org, eve@example.org',
      'ada@example.org;eve@example.org',
      'Ada <ada@example.org>',
      '"ada eve"@example.org',
      'ada@example.org\0',
      'ada',
      '',
    ])('sends nothing to %j, which is not one address', async (to) => {
      await expect(opened.port.send({ ...mail, to })).rejects.toMatchObject({ kind: 'invalid', code: 'mail_address_invalid' });
      expect(await opened.arrived()).toEqual([]);
    });
  });
}
