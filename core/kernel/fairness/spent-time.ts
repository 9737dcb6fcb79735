const MAX_KEPT = 10_000;

interface Spent {
  readonly ms: number;
  readonly at: number;
}

/** Time that keys have spent of something shared, as a sum that decays exponentially: what was long ago counts no more. */
export class SpentTime {
  readonly #now: () => number;
  readonly #halfLifeMs: number;
  /** The one that spent last at the end. */
  readonly #spent = new Map<string, Spent>();

  /** `now` in milliseconds, from whatever point in time. */
  constructor(now: () => number, halfLifeMs: number) {
    this.#now = now;
    this.#halfLifeMs = halfLifeMs;
  }

  /** In milliseconds. */
  of(key: string): number {
    const spent = this.#spent.get(key);
    return spent ? spent.ms * 0.5 ** ((this.#now() - spent.at) / this.#halfLifeMs) : 0;
  }

  add(key: string, ms: number): void {
    const spent = { ms: this.of(key) + ms, at: this.#now() };
    this.#spent.delete(key);
    this.#spent.set(key, spent);
    if (this.#spent.size > MAX_KEPT) this.#spent.delete(this.#spent.keys().next().value!);
  }
}
