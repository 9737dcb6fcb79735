import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAIL_FROM, mailerContract } from '../../test/contracts/access/mailer.contract.ts';
import { parsedMail } from '../../test/setup/parsed-mail.ts';
import { OutboxMailer } from './outbox-mailer.ts';

const mail = { to: 'ada@example.org', subject: 'Hello', text: 'text\n' };

async function openOutbox() {
  const parent = await mkdtemp(join(tmpdir(), 'outbox-'));
  const folder = join(parent, 'outbox');
  const files = async () => (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  return {
    parent,
    folder,
    files,
    port: new OutboxMailer({ folder, from: MAIL_FROM }),
    arrived: async () => Promise.all((await files()).map(async (path) => parsedMail(await readFile(path, 'utf8')))),
    close: () => rm(parent, { recursive: true, force: true }),
  };
}

mailerContract('outbox', openOutbox);

describe('the outbox', () => {
  it('keeps mails for its owner alone, under names that end in .eml', async () => {
    const outbox = await openOutbox();
    await outbox.port.send(mail);
    const [path] = await outbox.files();
    expect(path).toMatch(/\/20[^/]*\.eml$/);
    expect((await stat(path!)).mode & 0o777).toBe(0o600);
    expect((await stat(outbox.folder)).mode & 0o777).toBe(0o700);
    await outbox.close();
  });

  it('says that mail is unavailable when the folder cannot be made, and leaves nothing behind', async () => {
    const outbox = await openOutbox();
    await writeFile(outbox.folder, 'a file in the way');
    await expect(outbox.port.send(mail)).rejects.toMatchObject({ kind: 'unavailable', code: 'mail_unavailable' });
    expect(await readdir(outbox.parent)).toEqual(['outbox']);
    await outbox.close();
  });
});
