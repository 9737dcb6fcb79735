import { AppError } from '../../kernel/errors.ts';
import { FairBudget } from '../../kernel/fairness/fair-budget.ts';
import type { Clock, Transactions } from '../../kernel/ports.ts';
import { isBefore } from '../../kernel/timestamp.ts';
import type { AccessStore } from '../access-store.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Origin } from '../caller.ts';
import { normalEmail } from '../users/user.ts';
import type { Secrets } from './identity.ts';
import type { Attempts, LoginStore } from './login-store.ts';
import { getNetwork, siteOf } from './network.ts';

export interface LoginLimits {
  /** Failures of one network at one account; the last of them begins a delay. */
  readonly account_free: number;
  /** Failures at one account from anywhere, after which each network has but one before it is delayed. */
  readonly account_spread: number;
  /** Failures of one network at any account. */
  readonly address_free: number;
  /** After this long without a failure, counting begins anew. */
  readonly window_ms: number;
  readonly max_delay_ms: number;
}

export const DEFAULT_LOGIN_LIMITS: LoginLimits = {
  account_free: 10,
  account_spread: 100,
  address_free: 100,
  window_ms: 60 * 60_000,
  max_delay_ms: 15 * 60_000,
};

export interface LoginLimiterDeps {
  readonly loginStore: LoginStore;
  readonly accessStore: AccessStore;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly loginLimits: LoginLimits;
}

const MAX_KNOWN_DELAYS = 10_000;
/** Passwords that are checked at once; one network has half of it at most. */
const MAX_CHECKS = 20;
/** All networks of one site may fail so many times as often as one network. */
const SITE_FACTOR = 4;

interface Counter {
  readonly key: string;
  /** Infinite: is counted, and delays nobody by itself. */
  readonly free: number;
  readonly limits: 'account' | 'account_spread' | 'address' | 'address_keys';
}

/** An attempt that is counted as a failure until it turns out to be none. */
interface Reserved {
  readonly counter: Counter;
  readonly count: number;
  readonly counted_at: string;
  readonly before: Attempts | undefined;
}

/**
 * Rate limiter of guessing. An attempt is counted before it is checked, atomically, so of many at once no more are checked than of
 * one after the other. Failures are counted per network and account together, whether it exists or not, and per network; beyond
 * the free ones each failure doubles a delay, during which nothing is checked and everybody gets the same refusal. Nobody
 * is locked out for good, and nobody by failures of another network. Counts are shared by all instances on one database.
 */
export class LoginLimiter {
  readonly #deps: LoginLimiterDeps;
  /** Delays under way that this process knows of: refusing costs no look into the store. */
  readonly #delays = new Map<string, number>();
  readonly #checks = new FairBudget(MAX_CHECKS);

  constructor(deps: LoginLimiterDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `prove` unless this network has to wait, at this account or at all; that rejects with AppError `too_many`. Undefined
   * counts as a failure, anything else clears the account for this network. What `prove` rejects with is neither.
   */
  async password<T>(email: string, origin: Origin, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const check = this.#checks.open([{ name: getNetwork(origin.address), weight: 1 }]);
    if (!check.grow(1)) throw new AppError('too_many', 'login_busy', 'too many logins at once', { retryAfterSeconds: 1 });
    try {
      const reserved = await this.#reserve(email, origin);
      const proven = await prove().catch(async (error: unknown) => {
        await this.#withdraw(reserved);
        throw error;
      });
      if (proven === undefined) await this.#noteFailure(reserved, origin, email);
      else await this.#noteSuccess(reserved);
      return proven;
    } finally {
      check.release();
    }
  }

  /**
   * For secrets that cannot be guessed, as keys: a good one is never refused, nor does it cost anything. Bad ones are
   * counted by network, apart from passwords; beyond the free ones it rejects with `too_many` where it would return undefined.
   */
  async secret<T>(origin: Origin, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const proven = await prove();
    if (proven !== undefined) return proven;
    const keys = this.#address(getNetwork(origin.address), this.#deps.loginLimits.address_free, 'address_keys');
    this.#refuseWhileKnown(keys);
    const { clock, loginStore } = this.#deps;
    const now = clock();
    const count = await loginStore.countAttempt(keys.key, now.toISOString(), this.#since(now));
    this.#remember(keys, now.getTime(), count);
    await this.#noteLimit(keys, count, origin);
    return undefined;
  }

  /**
   * Rejects as `password` does while this process knows that it would. To be asked before an answer from memory: else
   * guessing a password that was proven a moment ago would be free.
   */
  requireNoDelay(email: string, origin: Origin): void {
    for (const counter of this.#countersOf(email, origin)) this.#refuseWhileKnown(counter);
  }

  async #reserve(email: string, origin: Origin): Promise<readonly Reserved[]> {
    this.requireNoDelay(email, origin);
    const { clock, loginStore, loginLimits } = this.#deps;
    const found = await loginStore.attempts(this.#countersOf(email, origin).map(({ key }) => key));
    const now = clock();
    const before = (key: string): Attempts | undefined =>
      found.find((one) => one.key === key && !isBefore(one.last_at, this.#since(now)));
    const spread = before(this.#spread(email).key)?.count ?? 0;
    const counters = this.#countersOf(email, origin, spread >= loginLimits.account_spread);
    for (const counter of counters) this.#refuseWhileDelayed(counter, before(counter.key));
    const reserved = await Promise.all(
      counters.map(async (counter) => {
        const counted_at = now.toISOString();
        const count = await loginStore.countAttempt(counter.key, counted_at, this.#since(now));
        return { counter, count, counted_at, before: before(counter.key) };
      }),
    );
    const late = reserved.find(isTooMany);
    if (late) await this.#refuseLate(reserved, late);
    return reserved;
  }

  /** Somebody else's attempt was counted since we looked, and the free ones are used up: theirs is the one that is made. */
  async #refuseLate(reserved: readonly Reserved[], { counter, count }: Reserved): Promise<never> {
    await this.#withdraw(reserved);
    throw limited(Math.ceil(this.#computeDelay(counter, count - 1) / 1000));
  }

  async #noteFailure(reserved: readonly Reserved[], origin: Origin, email: string): Promise<void> {
    for (const { counter, count, counted_at } of reserved) {
      this.#remember(counter, Date.parse(counted_at), count);
      await this.#noteLimit(counter, count, origin, counter.limits === 'account' ? email : undefined);
    }
  }

  async #noteSuccess(reserved: readonly Reserved[]): Promise<void> {
    const [own, ...others] = reserved;
    this.#delays.delete(own!.counter.key);
    await this.#deps.loginStore.clearAttempts(own!.counter.key);
    await this.#withdraw(others);
  }

  async #withdraw(reserved: readonly Reserved[]): Promise<void> {
    await Promise.all(
      reserved.map(({ counter, counted_at, before }) =>
        this.#deps.loginStore.withdrawAttempt(counter.key, counted_at, before?.last_at),
      ),
    );
  }

  #refuseWhileDelayed(counter: Counter, found: Attempts | undefined): void {
    if (found) this.#remember(counter, Date.parse(found.last_at), found.count);
    this.#refuseWhileKnown(counter);
  }

  /**
   * Each delay that begins is a line of the audit log. It names the account only where there is one: what was typed in
   * its place may be a password.
   */
  async #noteLimit(counter: Counter, failures: number, origin: Origin, email?: string): Promise<void> {
    const { accessStore, auditTrail, transactions } = this.#deps;
    const delayMs = this.#computeDelay(counter, failures);
    if (delayMs === 0) return;
    const user = email === undefined ? undefined : await accessStore.findUserByEmail(normalEmail(email));
    const details = { limited: counter.limits, failures, seconds: delayMs / 1000 };
    const event = { action: 'login.limited', object_kind: 'user', object_id: user?.id ?? null, details };
    await transactions.run(() => auditTrail.noteUnknown(origin, event));
  }

  #computeDelay({ free }: Counter, failures: number): number {
    return failures < free ? 0 : Math.min(2000 * 2 ** (failures - free), this.#deps.loginLimits.max_delay_ms);
  }

  #remember(counter: Counter, at: number, failures: number): void {
    const until = at + this.#computeDelay(counter, failures);
    if (until <= this.#deps.clock().getTime()) return;
    this.#delays.delete(counter.key);
    this.#delays.set(counter.key, until);
    if (this.#delays.size > MAX_KNOWN_DELAYS) this.#delays.delete(this.#delays.keys().next().value!);
  }

  #refuseWhileKnown({ key }: Counter): void {
    const until = this.#delays.get(key);
    if (until === undefined) return;
    const left = until - this.#deps.clock().getTime();
    if (left > 0) throw limited(Math.ceil(left / 1000));
    this.#delays.delete(key);
  }

  #since(now: Date): string {
    return new Date(now.getTime() - this.#deps.loginLimits.window_ms).toISOString();
  }

  /** The first is of this network at this account. */
  #countersOf(email: string, { address }: Origin, isSpread = false): readonly [Counter, ...Counter[]] {
    const { account_free, address_free } = this.#deps.loginLimits;
    const network = getNetwork(address);
    const site = siteOf(address);
    const account = `account ${this.#deps.secrets.digest(normalEmail(email))} ${network}`;
    return [
      { key: account, free: isSpread ? 1 : account_free, limits: 'account' },
      this.#address(network, address_free, 'address'),
      ...(site === undefined ? [] : [this.#address(site, address_free * SITE_FACTOR, 'address')]),
      this.#spread(email),
    ];
  }

  #spread(email: string): Counter {
    const key = `account ${this.#deps.secrets.digest(normalEmail(email))}`;
    return { key, free: Number.POSITIVE_INFINITY, limits: 'account_spread' };
  }

  #address(network: string, free: number, limits: 'address' | 'address_keys'): Counter {
    return { key: `${limits} ${network}`, free, limits };
  }
}

/** Beyond the free ones only the attempt is made that follows the one that was seen. */
const isTooMany = ({ counter, count, before }: Reserved): boolean => count > counter.free && count !== (before?.count ?? 0) + 1;

const limited = (retryAfterSeconds: number): AppError =>
  new AppError('too_many', 'login_limited', `too many failed logins; the next is checked in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
