import { AppError } from '../kernel/errors.ts';
import type { Clock, Transactions } from '../kernel/ports.ts';
import type { AccessStore } from './access-store.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { Origin } from './caller.ts';
import type { Secrets } from './identity.ts';
import type { Attempts, LoginStore } from './login-store.ts';
import { networkOf } from './network.ts';
import { normalEmail } from './user.ts';

export interface LoginLimits {
  /** Failures that cost an account nothing. */
  readonly account_free: number;
  /** Failures that cost a network nothing. */
  readonly address_free: number;
  /** After this long without a failure, counting begins anew. */
  readonly window_ms: number;
  readonly max_delay_ms: number;
}

export const DEFAULT_LOGIN_LIMITS: LoginLimits = {
  account_free: 10,
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

interface Counter {
  readonly key: string;
  readonly free: number;
  readonly limits: 'account' | 'address' | 'address_keys';
}

/**
 * Makes guessing slow. Failures are counted per account, whether it exists or not, and per network; beyond the free ones
 * each failure doubles a delay, during which nothing is checked and everybody gets the same refusal. Nobody is locked out
 * for good. Counts are shared by all instances on one database.
 */
export class LoginLimiter {
  readonly #deps: LoginLimiterDeps;
  /** Delays under way that this process knows of: refusing costs no look into the store. */
  readonly #delays = new Map<string, number>();

  constructor(deps: LoginLimiterDeps) {
    this.#deps = deps;
  }

  /**
   * Runs `prove` unless the account or the network has to wait; that rejects with AppError `too_many`. Undefined counts
   * as a failure of both, anything else clears the account. What `prove` rejects with is neither.
   */
  async password<T>(email: string, origin: Origin, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const account = this.#account(email);
    const address = this.#address(origin, 'address');
    const { failures, isCounted } = await this.#admit(account, address);
    const proven = await prove();
    if (proven === undefined) {
      await this.#noteLimit(account, isCounted ? failures : await this.#add(account), origin, email);
      await this.#noteLimit(address, await this.#add(address), origin);
    } else if (failures > 0) {
      this.#delays.delete(account.key);
      await this.#deps.loginStore.clearAttempts(account.key);
    }
    return proven;
  }

  /**
   * For secrets that cannot be guessed, as keys: a good one is never refused, nor does it cost anything. Bad ones are
   * counted by network, apart from passwords; beyond the free ones it rejects with `too_many` where it would answer undefined.
   */
  async secret<T>(origin: Origin, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const proven = await prove();
    if (proven !== undefined) return proven;
    const keys = this.#address(origin, 'address_keys');
    this.#refuseWhileKnown(keys);
    await this.#noteLimit(keys, await this.#add(keys), origin);
    return undefined;
  }

  /**
   * Rejects as `password` does while this process knows that the account has to wait. To be asked before an answer from
   * memory: else guessing a password that was proven a moment ago would be free.
   */
  demandNoDelay(email: string): void {
    this.#refuseWhileKnown(this.#account(email));
  }

  /** Beyond the free ones an attempt counts before it is made, so that of many at once only one goes through. */
  async #admit(account: Counter, address: Counter): Promise<{ failures: number; isCounted: boolean }> {
    for (const counter of [account, address]) this.#refuseWhileKnown(counter);
    const found = await this.#deps.loginStore.attempts([account.key, address.key]);
    const failures = this.#refuseWhileDelayed(account, found);
    this.#refuseWhileDelayed(address, found);
    if (failures <= account.free) return { failures, isCounted: false };
    const claimed = await this.#add(account);
    if (claimed !== failures + 1) this.#refuseWhileKnown(account);
    return { failures: claimed, isCounted: true };
  }

  /** Answers the failures within the window. */
  #refuseWhileDelayed(counter: Counter, found: readonly Attempts[]): number {
    const one = found.find(({ key }) => key === counter.key);
    if (!one) return 0;
    const at = Date.parse(one.last_at);
    if (at < this.#deps.clock().getTime() - this.#deps.loginLimits.window_ms) return 0;
    this.#remember(counter, at + this.#delayOf(counter, one.count));
    this.#refuseWhileKnown(counter);
    return one.count;
  }

  async #add(counter: Counter): Promise<number> {
    const { loginStore, clock, loginLimits } = this.#deps;
    const now = clock();
    const since = new Date(now.getTime() - loginLimits.window_ms);
    const count = await loginStore.countAttempt(counter.key, now.toISOString(), since.toISOString());
    this.#remember(counter, now.getTime() + this.#delayOf(counter, count));
    return count;
  }

  /**
   * Each delay that begins is a line of the audit log. It names the account only where there is one: what was typed in
   * its place may be a password.
   */
  async #noteLimit(counter: Counter, failures: number, origin: Origin, email?: string): Promise<void> {
    if (failures <= counter.free) return;
    const { accessStore, auditTrail, transactions } = this.#deps;
    const user = email === undefined ? undefined : await accessStore.findUserByEmail(normalEmail(email));
    const details = { limited: counter.limits, failures, seconds: this.#delayOf(counter, failures) / 1000 };
    const event = { action: 'login.limited', object_kind: 'user', object_id: user?.id ?? null, details };
    await transactions.run(() => auditTrail.noteUnknown(origin, event));
  }

  #delayOf({ free }: Counter, failures: number): number {
    return failures <= free ? 0 : Math.min(1000 * 2 ** (failures - free), this.#deps.loginLimits.max_delay_ms);
  }

  #remember({ key }: Counter, until: number): void {
    if (until <= this.#deps.clock().getTime()) return;
    this.#delays.delete(key);
    this.#delays.set(key, until);
    if (this.#delays.size > MAX_KNOWN_DELAYS) this.#delays.delete(this.#delays.keys().next().value!);
  }

  #refuseWhileKnown({ key }: Counter): void {
    const until = this.#delays.get(key);
    if (until === undefined) return;
    const left = until - this.#deps.clock().getTime();
    if (left > 0) throw limited(Math.ceil(left / 1000));
    this.#delays.delete(key);
  }

  #account(email: string): Counter {
    const key = `account ${this.#deps.secrets.digest(normalEmail(email))}`;
    return { key, free: this.#deps.loginLimits.account_free, limits: 'account' };
  }

  #address({ address }: Origin, limits: 'address' | 'address_keys'): Counter {
    return { key: `${limits} ${networkOf(address)}`, free: this.#deps.loginLimits.address_free, limits };
  }
}

const limited = (retryAfterSeconds: number): AppError =>
  new AppError('too_many', 'login_limited', `too many failed logins; the next is checked in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
