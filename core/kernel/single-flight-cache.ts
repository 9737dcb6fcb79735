import type { Clock } from './ports.ts';

const MAX_RECENT = 10_000;

/**
 * Remembers recent look-ups, and knows those that are under way: requests that need the same at the same time share one
 * (single flight, against a cache stampede). Nothing that was looked up before `drop` or `forget` is remembered after it.
 */
export class SingleFlightCache<T extends object> {
  readonly #clock: Clock;
  readonly #recent = new Map<string, { readonly found: T; readonly until: number }>();
  readonly #underWay = new Map<string, { readonly found: Promise<T | undefined>; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns what was found within its time. */
  recent(key: string): T | undefined {
    return this.#ifInTime(this.#recent.get(key))?.found;
  }

  /** Returns the look-up that somebody else began. What it finds, and how it fails, is theirs: it may be an answer to them alone. */
  underWay(key: string): Promise<T | undefined> | undefined {
    return this.#ifInTime(this.#underWay.get(key))?.found;
  }

  /** Looks up, and remembers what is found for so many milliseconds from now. Nothing (`undefined`) is not remembered. */
  async lookUp(key: string, forMs: number, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const until = this.#clock().getTime() + forMs;
    // Begun once it is noted, so that what it forgets by itself counts too.
    const own = { found: Promise.resolve().then(find), until };
    this.#underWay.set(key, own);
    try {
      const found = await own.found;
      this.#recent.delete(key);
      if (found && this.#underWay.get(key) === own) this.#recent.set(key, { found, until });
      if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
      return found;
    } finally {
      if (this.#underWay.get(key) === own) this.#underWay.delete(key);
    }
  }

  /** Has one key looked up anew the next time. */
  drop(key: string): void {
    this.#recent.delete(key);
    this.#underWay.delete(key);
  }

  /** Has every key looked up anew the next time. */
  forget(): void {
    this.#recent.clear();
    this.#underWay.clear();
  }

  #ifInTime<E extends { readonly until: number }>(entry: E | undefined): E | undefined {
    return entry && entry.until > this.#clock().getTime() ? entry : undefined;
  }
}
