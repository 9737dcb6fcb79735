import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryAccessStore } from '../../../adapters/memory/access/memory-access-store.ts';
import { MemoryAuditStore } from '../../../adapters/memory/access/memory-audit-store.ts';
import { MemoryLoginStore } from '../../../adapters/memory/access/memory-login-store.ts';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import { AuditTrail } from '../audit/audit-trail.ts';
import type { Origin } from '../caller.ts';
import { LoginLimiter, type LoginLimits } from './login-limiter.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const loginLimits = { account_free: 4, account_spread: 30, address_free: 9, window_ms: 60 * MINUTE, max_delay_ms: 15 * MINUTE };

let now: number;
let limits: { -readonly [Name in keyof LoginLimits]: LoginLimits[Name] };
let loginStore: MemoryLoginStore;
let auditStore: MemoryAuditStore;
let limiter: LoginLimiter;
const clock = () => new Date(now);
const secrets = new NodeSecrets();
const accountKey = `account ${secrets.digest('ann@example.org')} 192.0.2.1`;

/** One more instance on the same database. */
const instance = (): LoginLimiter =>
  new LoginLimiter({
    loginStore,
    accessStore: new MemoryAccessStore({ database: new MemoryDatabase() }),
    auditTrail: new AuditTrail({ auditStore, secrets, clock }),
    transactions: new MemoryDatabase(),
    secrets,
    clock,
    loginLimits: limits,
  });

beforeEach(() => {
  limits = { ...loginLimits };
  now = Date.parse('2026-03-01T12:00:00.000Z');
  loginStore = new MemoryLoginStore({ database: new MemoryDatabase() });
  auditStore = new MemoryAuditStore({ database: new MemoryDatabase() });
  limiter = instance();
});

const from = (address: string): Origin => ({ request_id: 'r1', address });
let made = 0;
const next = (): number => {
  made += 1;
  return made;
};
/** Another network each time. */
const somewhere = (): Origin => from(`10.0.${next() >> 8}.${made & 255}`);
const home = from('192.0.2.1');

/** Returns `failed`, `passed`, or the seconds to wait. */
async function attempt(isRight: boolean, email = 'ann@example.org', origin = home, by = limiter): Promise<string | number> {
  try {
    const proven = await by.password(email, origin, async () => (isRight ? email : undefined));
    return proven === undefined ? 'failed' : 'passed';
  } catch (error) {
    expect(error).toMatchObject({ kind: 'too_many', code: expect.stringMatching(/^login_(limited|busy)$/) });
    return (error as { retryAfterSeconds: number }).retryAfterSeconds;
  }
}

async function fail(times: number, email?: string, origin?: Origin): Promise<void> {
  for (let i = 0; i < times; i += 1) expect(await attempt(false, email, origin)).toBe('failed');
}

describe('an account', () => {
  // Its network has another limit, which is not reached here.
  beforeEach(() => {
    limits.address_free = 1_000;
  });

  it('has some failures free, then waits twice as long after each', async () => {
    await fail(4);
    const waited: (string | number)[] = [];
    for (let i = 0; i < 10; i += 1) {
      const seconds = await attempt(false);
      waited.push(seconds);
      now += Number(seconds) * SECOND;
      expect(await attempt(false)).toBe('failed');
    }
    expect(waited).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 900]);
  });

  it('refuses a right password too while it waits, and takes it afterwards', async () => {
    await fail(4);
    expect(await attempt(true)).toBe(2);
    now += 1500;
    expect(await attempt(true)).toBe(1);
    now += 500;
    expect(await attempt(true)).toBe('passed');
  });

  it('is not checked at all while it waits, and that counts as nothing', async () => {
    await fail(4);
    const checks: string[] = [];
    for (let i = 0; i < 50; i += 1) {
      const refused = limiter.password('ann@example.org', home, async () => void checks.push('made'));
      await expect(refused).rejects.toMatchObject({ code: 'login_limited', retryAfterSeconds: 2 });
    }
    expect(checks).toEqual([]);
    now += 2 * SECOND;
    expect(await attempt(true)).toBe('passed');
  });

  it('begins anew after a success', async () => {
    await fail(3);
    expect(await attempt(true)).toBe('passed');
    await fail(4);
    expect(await attempt(false)).toBe(2);
  });

  it('begins anew an hour after the last failure', async () => {
    await fail(4);
    now += 61 * MINUTE;
    await fail(4);
    expect(await attempt(false)).toBe(2);
  });

  it('is the same however its e-mail is spelled, and apart from others', async () => {
    await fail(2, 'ann@example.org');
    await fail(2, '  ANN@example.org ');
    expect(await attempt(true, 'Ann@Example.org')).toBe(2);
    expect(await attempt(true, 'bob@example.org')).toBe('passed');
  });

  it('waits in every instance', async () => {
    await fail(4);
    expect(await attempt(true, 'ann@example.org', home, instance())).toBe(2);
  });

  it('lets one attempt through after a delay, however many come at once', async () => {
    await fail(4);
    now += 2 * SECOND;
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(false)));
    expect(answers.filter((answer) => answer === 'failed')).toHaveLength(1);
    expect((await loginStore.attempts([accountKey]))[0]).toMatchObject({ count: 5 });
  });

  it('has no more of many attempts at once checked than of one after the other', async () => {
    let checks = 0;
    const wrong = (by: LoginLimiter) =>
      by
        .password('ann@example.org', home, async () => {
          checks += 1;
          await new Promise((done) => setTimeout(done, 20));
          return undefined;
        })
        .catch(() => undefined);
    const instances = Array.from({ length: 10 }, instance);
    await Promise.all(Array.from({ length: 100 }, (_, one) => wrong(instances[one % 10]!)));
    expect(checks).toBe(4);
  });

  it('is left alone by what other networks fail at it, also while they wait', async () => {
    for (const network of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      for (let i = 0; i < 4; i += 1) expect(await attempt(false, 'ann@example.org', from(network))).toBe('failed');
      expect(await attempt(true, 'ann@example.org', from(network))).toBe(2);
    }
    expect(await attempt(true)).toBe('passed');
  });

  it('gives each network but one failure when many failed at it, and still takes a right password from any', async () => {
    for (let i = 0; i < 30; i += 1) expect(await attempt(false, 'ann@example.org', somewhere())).toBe('failed');
    const late = somewhere();
    expect(await attempt(false, 'ann@example.org', late)).toBe('failed');
    expect(await attempt(false, 'ann@example.org', late)).toBe(2);
    expect(await attempt(true, 'ann@example.org', somewhere())).toBe('passed');
    expect(await attempt(true)).toBe('passed');
    expect(await attempt(false, 'bob@example.org', late)).toBe('failed');
    expect(await attempt(false, 'bob@example.org', late)).toBe('failed');
  });

  it('does not count what failed for other reasons', async () => {
    for (let i = 0; i < 10; i += 1) {
      const broken = limiter.password('ann@example.org', home, () => Promise.reject(new Error('database')));
      await expect(broken).rejects.toThrow('database');
    }
    await fail(4);
  });

  it('is known to wait without a look into the store', async () => {
    limiter.requireNoDelay('ann@example.org', home);
    await fail(4);
    expect(() => limiter.requireNoDelay('ANN@example.org', home)).toThrow('too many failed logins');
    now += 2 * SECOND;
    limiter.requireNoDelay('ann@example.org', home);
  });
});

describe('a network', () => {
  const spread = async (times: number, address: () => string): Promise<void> => {
    for (let i = 0; i < times; i += 1) await fail(1, `user${next()}@example.org`, from(address()));
  };

  it('waits once many accounts failed from it, whoever asks; others do not', async () => {
    await spread(9, () => '203.0.113.7');
    expect(await attempt(true, 'ann@example.org', from('203.0.113.7'))).toBe(2);
    expect(await attempt(true, 'ann@example.org', from('::ffff:203.0.113.7'))).toBe(2);
    expect(await attempt(true, 'ann@example.org', from('203.0.113.8'))).toBe('passed');
  });

  it('of IPv6 is all of a /64', async () => {
    await spread(9, () => `2001:db8:1:2::${next().toString(16)}`);
    expect(await attempt(true, 'ann@example.org', from('2001:db8:1:2:ffff::1'))).toBe(2);
    expect(await attempt(true, 'ann@example.org', from('2001:db8:1:3::1'))).toBe('passed');
  });

  it('of IPv6 is counted together with the others of its /48 as well', async () => {
    for (let subnet = 0; subnet < 36; subnet += 1) await spread(1, () => `2001:db8:1:${subnet.toString(16)}::1`);
    expect(await attempt(true, 'ann@example.org', from('2001:db8:1:ffff::1'))).toBe(2);
    expect(await attempt(true, 'ann@example.org', from('2001:db8:2::1'))).toBe('passed');
  });

  it('has no more than half of the checks that are made at once', async () => {
    const going = Promise.withResolvers<undefined>();
    const slow = (n: number) => limiter.password(`u${n}@example.org`, from('203.0.113.7'), () => going.promise);
    limits.address_free = 1_000;
    const started = Array.from({ length: 10 }, (_, n) => slow(n));
    await expect(slow(10)).rejects.toMatchObject({ code: 'login_busy', retryAfterSeconds: 1 });
    expect(await attempt(true, 'ann@example.org', from('203.0.113.8'))).toBe('passed');
    going.resolve(undefined);
    await Promise.all(started);
  });

  it('stays counted when somebody logs in from it', async () => {
    await spread(8, () => '203.0.113.7');
    expect(await attempt(true, 'ann@example.org', from('203.0.113.7'))).toBe('passed');
    await spread(1, () => '203.0.113.7');
    expect(await attempt(true, 'ann@example.org', from('203.0.113.7'))).toBe(2);
  });

  it('is never made to wait by logins that succeed', async () => {
    for (let i = 0; i < 200; i += 1) expect(await attempt(true, 'ann@example.org', from('203.0.113.7'))).toBe('passed');
  });
});

describe('keys', () => {
  const key = (isGood: boolean) => limiter.secret(home, async () => (isGood ? 'key' : undefined));

  it('that are bad are refused otherwise once there were many, and good ones never', async () => {
    for (let i = 0; i < 9; i += 1) expect(await key(false)).toBeUndefined();
    await expect(key(false)).rejects.toMatchObject({ code: 'login_limited', retryAfterSeconds: 2 });
    expect(await key(true)).toBe('key');
    now += 2 * SECOND;
    expect(await key(false)).toBeUndefined();
    await expect(key(false)).rejects.toMatchObject({ retryAfterSeconds: 4 });
  });

  it('do not make passwords wait', async () => {
    for (let i = 0; i < 9; i += 1) await key(false);
    expect(await attempt(true, 'ann@example.org', home)).toBe('passed');
  });

  it('that are good leave no trace', async () => {
    for (let i = 0; i < 20; i += 1) await key(true);
    expect(await loginStore.attempts(['address_keys 192.0.2.1'])).toEqual([]);
  });
});

describe('the audit log', () => {
  it('shows each delay that begins, and no attempt within one', async () => {
    await fail(4, 'a password typed in the wrong field', from('203.0.113.7'));
    await attempt(false, 'a password typed in the wrong field', from('203.0.113.7'));
    const lines = await auditStore.list({}, { offset: 0, limit: 10 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      action: 'login.limited',
      actor_id: null,
      object_id: null,
      address: '203.0.113.7',
      details: { limited: 'account', failures: 4, seconds: 2 },
    });
    expect(JSON.stringify(lines)).not.toContain('typed');
  });
});
