/** One of those on whose account something is held: a user, a network. */
export interface Party {
  readonly name: string;
  /** How many times as much as what is left free this one may hold: 1 is half of all when nobody else holds anything. */
  readonly weight: number;
}

/** Share of a budget that one request holds. */
export interface Hold {
  /** Holds so much in all from now on, if that is more than before. False, and nothing changes, where there is no room. */
  grow(to: number): boolean;
  /** All of it has come: it is not evicted any more. */
  settle(): void;
  /** Gives everything back. May be called again. */
  release(): void;
}

interface Open {
  readonly parties: readonly Party[];
  readonly evict: (() => void) | undefined;
  held: number;
}

/**
 * Admission control with a fair share for each: a shared buffer with dynamic thresholds (Choudhury and Hahne, 1998). No
 * party may hold more than its weight times what is left free, so n greedy ones leave room for another as large as theirs.
 */
export class FairBudget {
  readonly total: number;
  readonly #heldBy = new Map<string, number>();
  /** Requests that may be evicted, oldest first, by each of their parties. */
  readonly #unsettled = new Map<string, Set<Open>>();
  #held = 0;

  constructor(total: number) {
    this.total = total;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether these could hold `more` in addition to what they hold, as things are. */
  fits(parties: readonly Party[], more: number): boolean {
    const free = this.total - this.#held - more;
    return free >= 0 && parties.every(({ name, weight }) => (this.#heldBy.get(name) ?? 0) + more <= weight * free);
  }

  /**
   * A hold of nothing yet. With `evict` it is dropped, oldest first, when another of the same party needs the room while
   * it has not settled: that is told by `evict`.
   */
  open(parties: readonly Party[], evict?: () => void): Hold {
    const one: Open = { parties, evict, held: 0 };
    return {
      grow: (to) => this.#grow(one, to),
      settle: () => this.#settle(one),
      release: () => {
        this.#settle(one);
        this.#add(one, -one.held);
      },
    };
  }

  #grow(one: Open, to: number): boolean {
    const more = to - one.held;
    if (more <= 0) return true;
    while (!this.fits(one.parties, more)) {
      const oldest = one.evict && this.#oldestBeside(one);
      if (!oldest) return false;
      this.#settle(oldest);
      this.#add(oldest, -oldest.held);
      oldest.evict?.();
    }
    this.#add(one, more);
    if (one.evict) for (const { name } of one.parties) this.#unsettledOf(name).add(one);
    return true;
  }

  #oldestBeside(one: Open): Open | undefined {
    for (const { name } of one.parties) for (const other of this.#unsettled.get(name) ?? []) if (other !== one) return other;
    return undefined;
  }

  #add(one: Open, more: number): void {
    one.held += more;
    this.#held += more;
    for (const { name } of one.parties) {
      const held = (this.#heldBy.get(name) ?? 0) + more;
      if (held > 0) this.#heldBy.set(name, held);
      else this.#heldBy.delete(name);
    }
  }

  #settle(one: Open): void {
    for (const { name } of one.parties) {
      const some = this.#unsettled.get(name);
      if (some?.delete(one) && some.size === 0) this.#unsettled.delete(name);
    }
  }

  #unsettledOf(name: string): Set<Open> {
    const some = this.#unsettled.get(name) ?? new Set();
    this.#unsettled.set(name, some);
    return some;
  }
}
