import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail, Mailer } from '../../core/access/users/mailer.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { checkedMail } from './checked-mail.ts';

const RETRY_SECONDS = 60;

/** Keeps each mail as a file of its own, for whoever runs the service and has no mail server to hand it to. */
export class OutboxMailer implements Mailer {
  readonly #folder: string;
  readonly #from: string;

  constructor({ folder, from }: { readonly folder: string; readonly from: string }) {
    this.#folder = folder;
    this.#from = from;
  }

  async send(mail: Mail): Promise<void> {
    const checked = checkedMail(mail);
    try {
      await makeFolder(this.#folder);
      await this.#write(checked);
    } catch (cause) {
      const options = { cause, retryAfterSeconds: RETRY_SECONDS };
      throw new AppError('unavailable', 'mail_unavailable', `the mail cannot be kept: ${getCode(cause)}`, options);
    }
  }

  /** Written beside and renamed, so that whoever looks into the folder finds whole mails only. Names order by time. */
  async #write(mail: Mail): Promise<void> {
    const now = new Date();
    const name = `${now.toISOString().replaceAll(':', '-')}-${randomBytes(6).toString('hex')}`;
    const beside = join(this.#folder, `.${name}`);
    try {
      await writeFile(beside, this.#message(mail, now), { mode: 0o600, flag: 'wx', flush: true });
      await rename(beside, join(this.#folder, `${name}.eml`));
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  }

  /** Headers in UTF-8 (RFC 6532). */
  #message({ to, subject, text }: Mail, now: Date): string {
    const date = now.toUTCString().replace('GMT', '+0000');
    const headers = [`From: ${this.#from}`, `To: ${to}`, `Subject: ${subject}`, `Date: ${date}`];
    const type = ['MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit'];
    return `${[...headers, ...type].join('\n')}\n\n${text}`;
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

const getCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown reason';
