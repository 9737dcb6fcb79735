import { RoundRobin } from '../kernel/fairness/round-robin.ts';

/** Of one integration, in one process. */
export const MAX_CONCURRENT_CALLS = 16;

interface Waiter {
  readonly enter: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Adaptive concurrency limiter (AIMD: additive increase, multiplicative decrease, as TCP does with its window): the limit is halved
 * when the provider throttles, and raised by one after as many successful calls in a row as the limit allows at once. Free slots
 * are handed out to those who wait in round-robin order over their owners, so that nobody's queue holds up another's call.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  #limit: number;
  #running = 0;
  #successes = 0;
  readonly #waiting = new RoundRobin<Waiter>();

  constructor(max = MAX_CONCURRENT_CALLS) {
    this.#max = max;
    this.#limit = max;
  }

  get limit(): number {
    return this.#limit;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.size === 0;
  }

  /** Makes the call once it has a slot. Rejects with the signal's reason when that is aborted before. */
  async run<T>(owner: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    await this.#acquire(owner, signal);
    try {
      return await call();
    } finally {
      this.#running -= 1;
      this.#admitWaiting();
    }
  }

  onSuccess(): void {
    this.#successes += 1;
    if (this.#successes < this.#limit || this.#limit === this.#max) return;
    this.#limit += 1;
    this.#successes = 0;
    this.#admitWaiting();
  }

  onThrottle(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#successes = 0;
  }

  /** Rejects all that wait; calls that have a slot go on. */
  rejectWaiting(reason: unknown): void {
    for (const waiter of this.#waiting.drain()) waiter.reject(reason);
  }

  async #acquire(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.#limit && this.#waiting.size === 0) {
      this.#running += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const waiter: Waiter = { enter: turn.resolve, reject: turn.reject };
    const leave = (): void => {
      if (this.#waiting.remove([owner], waiter)) turn.reject(signal.reason);
    };
    this.#waiting.push([owner], waiter);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** The slot of who is admitted is counted here already, so that nobody comes between. */
  #admitWaiting(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next.enter();
    }
  }
}
