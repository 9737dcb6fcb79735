import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import type { Secrets } from './identity.ts';
import type { LoginStore } from './login-store.ts';

/** At most `max` attempts until the last of them is `windowMs` ago. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** Bounds how often something is tried. In the store, whom it is counted for stands as a digest. */
export class RateLimiter {
  readonly #store: LoginStore;
  readonly #secrets: Secrets;
  readonly #clock: Clock;

  constructor({ loginStore, secrets, clock }: { loginStore: LoginStore; secrets: Secrets; clock: Clock }) {
    this.#store = loginStore;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /**
   * Rejects with `too_many` once there were `max`. That counts nothing: else whoever keeps trying, or keeps somebody
   * else from trying, would be locked out for as long as they try.
   */
  async authorize(limit: Limit, subject: string): Promise<void> {
    const [found] = await this.#store.attempts([this.#getKey(limit, subject)]);
    const waitMs = found && found.count >= limit.max ? Date.parse(found.last_at) + limit.windowMs - this.#now() : 0;
    if (waitMs > 0) throw tooMany(waitMs);
  }

  /** Counts one more; rejects as `authorize` does, also when others came at the same moment. */
  async count(limit: Limit, subject: string): Promise<void> {
    await this.authorize(limit, subject);
    const now = this.#now();
    // Counting begins anew before `since`, and waiting is over at the very end of the window.
    const since = new Date(now - limit.windowMs + 1).toISOString();
    const count = await this.#store.countAttempt(this.#getKey(limit, subject), new Date(now).toISOString(), since);
    if (count > limit.max) throw tooMany(limit.windowMs);
  }

  clear(limit: Limit, subject: string): Promise<void> {
    return this.#store.clearAttempts(this.#getKey(limit, subject));
  }

  #getKey({ name }: Limit, subject: string): string {
    return `${name} ${this.#secrets.digest(subject)}`;
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

const tooMany = (waitMs: number): AppError =>
  new AppError('too_many', 'rate_limited', 'too many attempts', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
