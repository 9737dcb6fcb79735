export interface FairShareSettings {
  /** Slots in all. */
  readonly slots: number;
  /** Slots that one key may hold at once. */
  readonly perKey: number;
}

/**
 * Round-robin scheduling over keys with a limit for each: says whose turn it is not. Who takes work leaves out the keys in
 * `passedOver`; when nothing is found, `newRound` begins the next round and only those at their limit are left out.
 */
export class FairShare {
  readonly #settings: FairShareSettings;
  readonly #held = new Map<string, number>();
  /** Keys that have had their turn in this round. */
  readonly #served = new Set<string>();
  #busy = 0;

  constructor(settings: FairShareSettings) {
    this.#settings = settings;
  }

  get free(): number {
    return this.#settings.slots - this.#busy;
  }

  get passedOver(): string[] {
    return [...new Set([...this.#served, ...this.atLimit])];
  }

  /** False when no key was served since the last round began: a new one would not change anything. */
  newRound(): boolean {
    const isNew = this.#served.size > 0;
    this.#served.clear();
    return isNew;
  }

  begin(key: string): void {
    this.#busy += 1;
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    this.#served.add(key);
  }

  end(key: string): void {
    this.#busy -= 1;
    const left = (this.#held.get(key) ?? 1) - 1;
    if (left > 0) this.#held.set(key, left);
    else this.#held.delete(key);
  }

  /** Keys that hold as many slots as they may. */
  get atLimit(): string[] {
    return [...this.#held].filter(([, held]) => held >= this.#settings.perKey).map(([key]) => key);
  }
}
