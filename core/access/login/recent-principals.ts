import type { Clock } from '../../kernel/ports.ts';

const MAX_RECENT = 10_000;

/**
 * Credentials that were proven a moment ago, so that a busy client does not cost a look into the store with every request, nor
 * one for each of its requests when that moment is over: they share one (single flight, against a cache stampede).
 */
export class RecentPrincipals {
  readonly #clock: Clock;
  readonly #recent = new Map<string, { readonly proven: object; readonly until: number }>();
  readonly #underWay = new Map<string, { readonly proof: Promise<object | undefined>; readonly until: number }>();
  /** Times that all was forgotten: what was proven before the last one must not be remembered after it. */
  #forgotten = 0;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** Returns what was proven within its time, else proves anew. A refusal is not remembered. */
  async remembered<T extends object>(proof: string, forMs: number, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.#clock().getTime();
    const known = this.#recent.get(proof);
    // Each kind of proof has names of its own, so what is found under one is what was put there.
    if (known && known.until > now) return known.proven as T;
    const other = this.#underWay.get(proof);
    // A refusal may be of the other request alone, such as of a network that sends many bad keys.
    const shared = other && other.until > now ? await other.proof.catch(() => undefined) : undefined;
    return shared ? (shared as T) : this.#prove(proof, now + forMs, prove);
  }

  async #prove<T extends object>(proof: string, until: number, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const forgotten = this.#forgotten;
    const underWay = { proof: prove(), until };
    this.#underWay.set(proof, underWay);
    try {
      const proven = await underWay.proof;
      this.#recent.delete(proof);
      if (proven && forgotten === this.#forgotten) this.#recent.set(proof, { proven, until });
      if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
      return proven;
    } finally {
      if (this.#underWay.get(proof) === underWay) this.#underWay.delete(proof);
    }
  }

  /** Has a proof made anew the next time. */
  drop(proof: string): void {
    this.#recent.delete(proof);
    this.#underWay.delete(proof);
  }

  /** To be called after every change of users and keys, so that it takes effect at once in this process. */
  forget(): void {
    this.#recent.clear();
    this.#underWay.clear();
    this.#forgotten += 1;
  }
}
