import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { readConfig } from './env.ts';
import { getMailer } from './mail.ts';

const SMTP_URL = 'smtps://user:a%20secret@mail.example.org';

describe('mail', () => {
  it('goes into the outbox of the data folder unless a mail server is named', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mail-'));
    await getMailer(readConfig({ DATA_DIR: dataDir })).send({ to: 'ada@example.org', subject: 'Hello', text: 'text' });
    expect(await readdir(join(dataDir, 'outbox'))).toEqual([expect.stringMatching(/\.eml$/)]);
    await rm(dataDir, { recursive: true });
  });

  it('goes to the mail server that is named', () => {
    expect(getMailer(readConfig({ SMTP_URL, MAIL_FROM: 'noreply@example.org' }))).toBeInstanceOf(SmtpMailer);
  });

  it('needs a sender for a mail server, and does not tell the password of the server', () => {
    expect(() => readConfig({ SMTP_URL })).toThrow('MAIL_FROM');
    for (const url of ['https://user:hunter2@mail.example.org', 'smtp://user:hunter2@'])
      expect(() => readConfig({ SMTP_URL: url, MAIL_FROM: 'a@example.org' })).toThrow(/SMTP_URL(?![\s\S]*hunter2)/);
  });

  it.each(['noreply@example.org', 'Touchstone <noreply@example.org>', 'Atlas, Inc. <noreply@example.org>'])(
    'takes %j as the sender',
    (MAIL_FROM) => {
      expect(readConfig({ MAIL_FROM }).mail.from).toBe(MAIL_FROM);
    },
  );

  it.each(['noreply', 'a@b.c, d@e.f', 'A <a@b.c> <d@e.f>', 'a@b.c\r\nBcc: d@e.f', 'A\n <a@b.c>'])(
    'refuses %j as the sender',
    (MAIL_FROM) => {
      expect(() => readConfig({ MAIL_FROM })).toThrow('MAIL_FROM');
    },
  );

  it('knows the address of the service without a slash at the end', () => {
    expect(readConfig({ PUBLIC_URL: 'https://touchstone.example.org/base/' }).publicUrl).toBe(
      'https://touchstone.example.org/base',
    );
    expect(() => readConfig({ PUBLIC_URL: 'touchstone.example.org' })).toThrow('PUBLIC_URL');
  });
});
