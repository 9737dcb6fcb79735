import { SpentTime } from './spent-time.ts';

export interface FairShareSettings {
  /** Slots in all. */
  readonly slots: number;
  /** Slots that one key may hold at once. */
  readonly perKey: number;
}

/** Half-life of recorded usage. */
const HALF_LIFE_MS = 60_000;

/**
 * Fair-share scheduler over keys: a free slot goes to the key that holds the fewest, of those to the one that spent the least time
 * lately. Half of the slots are reserved for keys that hold none, so that as many keys as that cannot keep another one waiting.
 */
export class FairShare {
  readonly #settings: FairShareSettings;
  readonly #now: () => number;
  readonly #spent: SpentTime;
  readonly #held = new Map<string, number>();
  #busy = 0;

  /** `now` in milliseconds, from whatever point in time. */
  constructor(settings: FairShareSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
    this.#spent = new SpentTime(now, HALF_LIFE_MS);
  }

  get free(): number {
    return this.#settings.slots - this.#busy;
  }

  /** Whose turn it is among keys with work, the first of equals. Undefined when none of them may have a slot now. */
  pick(keys: Iterable<string>): string | undefined {
    let picked: { readonly key: string; readonly held: number; readonly spent: number } | undefined;
    for (const key of keys) {
      const held = this.#held.get(key) ?? 0;
      if (!this.#mayBegin(held)) continue;
      const spent = this.#spent.of(key);
      if (!picked || held < picked.held || (held === picked.held && spent < picked.spent)) picked = { key, held, spent };
    }
    return picked?.key;
  }

  /** The key takes a slot. Returns what gives it back, to be called once. */
  begin(key: string): () => void {
    const began = this.#now();
    this.#busy += 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    return () => this.#end(key, this.#now() - began);
  }

  #mayBegin(held: number): boolean {
    const { slots, perKey } = this.#settings;
    return this.free > (held === 0 ? 0 : Math.floor(slots / 2)) && held < perKey;
  }

  #end(key: string, ms: number): void {
    this.#busy -= 1;
    this.#spent.add(key, ms);
    const left = this.#held.get(key)! - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }
}
