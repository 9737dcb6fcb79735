import { setImmediate as nextTurn } from 'node:timers/promises';

/** Of each turn of the event loop. More would make a health probe wait, less would cost throughput. */
const BUDGET_MS = 20;

/**
 * Shares the event loop between much work that came at once and whatever else is to be answered: callers are let go on first
 * come first served, as many in one turn of the loop as fit into its budget. Alone, nobody waits.
 */
export class EventLoopScheduler {
  readonly #waiting: (() => void)[] = [];
  readonly #now: () => number;
  #isSharing = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the caller may do its work, which it should begin at once. */
  mine(): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push(go);
      if (!this.#isSharing) void this.#share();
    });
  }

  async #share(): Promise<void> {
    this.#isSharing = true;
    while (this.#waiting.length > 0) {
      const until = this.#now() + BUDGET_MS;
      do {
        this.#waiting.shift()!();
        // Whatever was let go runs now, before the clock is looked at.
        await undefined;
      } while (this.#waiting.length > 0 && this.#now() < until);
      if (this.#waiting.length > 0) await nextTurn();
    }
    this.#isSharing = false;
  }
}
