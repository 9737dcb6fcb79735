import { describe, expect, it } from 'vitest';
import { MemoryAccessStore } from '../../../adapters/memory/access/memory-access-store.ts';
import { MemoryLoginStore } from '../../../adapters/memory/access/memory-login-store.ts';
import { MemoryMailer } from '../../../adapters/memory/access/memory-mailer.ts';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import { VerificationMails } from './verification-mails.ts';

async function textFor(publicUrl: string | undefined): Promise<string> {
  const [accessStore, mailer] = [new MemoryAccessStore({ database: new MemoryDatabase() }), new MemoryMailer()];
  const now = '2026-01-02T03:04:05.678Z';
  const names = { email: 'ada@example.org', first_name: '', last_name: '', role: 'user', auth_method: 'email' } as const;
  const state = { email_is_verified: false, is_disabled: false, password_hash: null, token_version: 0 };
  await accessStore.insertUser({ id: 'u1', ...names, ...state, created_at: now, updated_at: now });
  const log = { info() {}, warn() {}, error() {} };
  const parts = {
    loginStore: new MemoryLoginStore({ database: new MemoryDatabase() }),
    secrets: new NodeSecrets(),
    clock: () => new Date(),
    log,
  };
  const mails = new VerificationMails({ accessStore, mailer, publicUrl, ...parts });
  mails.sendLater('ada@example.org');
  await mails.settled();
  return mailer.sent[0]!.text;
}

describe('the mail of a verification', () => {
  it('names where the service is reached, where that is known', async () => {
    const text = await textFor('https://touchstone.example.org');
    expect(text).toContain('curl -X POST https://touchstone.example.org/v2/verify_email/complete ');
    expect(await textFor(undefined)).toContain('curl -X POST <address of the service>/v2/verify_email/complete ');
  });

  it('keeps its lines short enough for every mail server', async () => {
    const lines = (await textFor('https://touchstone.example.org')).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
  });
});
