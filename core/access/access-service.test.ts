import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryLoginStore } from '../../adapters/memory/access/memory-login-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { Argon2Passwords } from '../../adapters/security/argon2-passwords.ts';
import { JwtTokenIssuer } from '../../adapters/security/jwt-token-issuer.ts';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import { openMemoryAccess, someone } from '../../test/setup/access.ts';
import { AccessService } from './access-service.ts';
import { CredentialCheck } from './login/credential-check.ts';
import { DEFAULT_LOGIN_LIMITS, LoginLimiter } from './login/login-limiter.ts';
import type { User } from './users/user.ts';

const ADMIN = { email: 'admin@example.org', password: 'correct horse battery', api_key: 'key-0123456789abcdef' };
const { origin } = someone();

let now: number;
let service: AccessService;
let access: ReturnType<typeof openMemoryAccess>;
let hashed: number;

/** A password hasher that tells how often it was asked. */
class CountingPasswords extends Argon2Passwords {
  override verify(...given: Parameters<Argon2Passwords['verify']>): Promise<boolean> {
    hashed += 1;
    return super.verify(...given);
  }
}

beforeEach(async () => {
  now = Date.parse('2026-01-02T03:04:05Z');
  hashed = 0;
  const clock = () => new Date(now);
  access = openMemoryAccess(clock);
  const deps = {
    ...access,
    loginStore: new MemoryLoginStore({ database: new MemoryDatabase() }),
    transactions: new MemoryDatabase(),
    passwordHasher: new CountingPasswords(),
    tokenIssuer: new JwtTokenIssuer(['a secret of the tests, long enough']),
    secrets: new NodeSecrets(),
    loginLimits: DEFAULT_LOGIN_LIMITS,
    clock,
    newId: () => randomUUID(),
  };
  const more = { credentialCheck: new CredentialCheck(deps), loginLimiter: new LoginLimiter(deps) };
  service = new AccessService({ ...deps, ...more });
  await service.bootstrap(ADMIN);
});

const byPassword = () => service.callerByPassword(ADMIN.email, ADMIN.password, origin);
/** As another instance would change the user: this one is not told. */
async function elsewhere(changes: Partial<User>): Promise<void> {
  const user = (await access.accessStore.findUserByEmail(ADMIN.email))!;
  await access.accessStore.updateUser(user.id, { ...changes, updated_at: new Date(now).toISOString() });
}

describe('a password that was proven', () => {
  it('is not hashed again for a minute', async () => {
    for (let second = 0; second < 59; second += 1) {
      expect((await byPassword())?.email).toBe(ADMIN.email);
      now += 1_000;
    }
    expect(hashed).toBe(1);
    now += 2_000;
    expect(await byPassword()).toBeDefined();
    expect(hashed).toBe(2);
  });

  it('is good for a second at most after its user was disabled elsewhere', async () => {
    await byPassword();
    await elsewhere({ is_disabled: true });
    now += 1_000;
    expect(await byPassword()).toBeUndefined();
  });

  it('is good for a second at most after it was changed elsewhere, and the new one at once', async () => {
    await byPassword();
    const password_hash = await new Argon2Passwords().hash('another password');
    await elsewhere({ password_hash, token_version: 1 });
    expect((await service.callerByPassword(ADMIN.email, 'another password', origin))?.email).toBe(ADMIN.email);
    now += 1_000;
    expect(await byPassword()).toBeUndefined();
  });

  it('is good again when only the tokens of its user were ended', async () => {
    await byPassword();
    await elsewhere({ token_version: 1 });
    now += 1_000;
    expect((await byPassword())?.email).toBe(ADMIN.email);
  });
});

describe('a key', () => {
  it('is good for a second at most after it was revoked elsewhere', async () => {
    const principal = await service.callerByApiKey(ADMIN.api_key, origin);
    await access.accessStore.removeApiKey(principal!.api_key_id!);
    now += 1_000;
    expect(await service.callerByApiKey(ADMIN.api_key, origin)).toBeUndefined();
  });
});
