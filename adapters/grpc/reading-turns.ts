import { AppError } from '../../core/kernel/errors.ts';
import { RoundRobin } from '../../core/kernel/fairness/round-robin.ts';

export interface ReadingLimits {
  /** Messages that are read at the same time: each may take as much memory as the largest one. */
  readonly atOnce: number;
  /** Of these, of one user. */
  readonly atOnceOfUser: number;
  /** Calls of one user that wait for their turn; more are refused. */
  readonly waitingOfUser: number;
}

interface Waiter {
  begin(end: () => void): void;
}

/**
 * Admission control of messages over gRPC, whose size nobody knows before they have come: few are read at a time, in turns by user. Nothing is
 * read of a call that waits but what fits into the flow-control window of its stream.
 */
export class ReadingTurns {
  readonly #limits: ReadingLimits;
  readonly #waiters = new RoundRobin<Waiter>();
  readonly #waiting = new Counts();
  readonly #reading = new Counts();

  constructor(limits: ReadingLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when the message of this user may be read, with what ends the turn; to be called once the message has come, or never will. Rejects
   * with AppError `unavailable` when too many of this user wait, and with its reason when `signal` is aborted.
   */
  async begin(user_id: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#waiting.of(user_id) >= this.#limits.waitingOfUser)
      throw new AppError('unavailable', 'overloaded', 'too many calls wait to be read', { retryAfterSeconds: 1 });
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiter: Waiter = { begin: resolve };
    const leave = (): void => {
      if (!this.#waiters.remove([user_id], waiter)) return;
      this.#waiting.add(user_id, -1);
      reject(signal.reason);
    };
    this.#waiters.push([user_id], waiter);
    this.#waiting.add(user_id, 1);
    signal.addEventListener('abort', leave, { once: true });
    this.#next();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #next(): void {
    while (this.#reading.sum < this.#limits.atOnce) {
      const user_id = [...this.#waiters.keys()].find((key) => this.#reading.of(key) < this.#limits.atOnceOfUser);
      if (user_id === undefined) return;
      const { begin } = this.#waiters.shift(user_id)!;
      this.#waiting.add(user_id, -1);
      this.#reading.add(user_id, 1);
      begin(this.#endOf(user_id));
    }
  }

  #endOf(user_id: string): () => void {
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#reading.add(user_id, -1);
      this.#next();
    };
  }
}

/** Counts by key, of which none is kept that is zero. */
class Counts {
  readonly #counts = new Map<string, number>();
  sum = 0;

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, more: number): void {
    this.sum += more;
    const count = this.of(key) + more;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
