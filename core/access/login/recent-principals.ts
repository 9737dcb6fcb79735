import type { Clock } from '../../kernel/ports.ts';

const MAX_RECENT = 10_000;

/** Credentials that were proven a moment ago, so that a busy client does not cost a look into the store with every request. */
export class RecentPrincipals {
  readonly #clock: Clock;
  readonly #recent = new Map<string, { readonly proven: object; readonly until: number }>();
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
    const forgotten = this.#forgotten;
    const proven = await prove();
    this.#recent.delete(proof);
    if (proven && forgotten === this.#forgotten) this.#recent.set(proof, { proven, until: now + forMs });
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
    return proven;
  }

  /** Has a proof made anew the next time. */
  drop(proof: string): void {
    this.#recent.delete(proof);
  }

  /** To be called after every change of users and keys, so that it takes effect at once in this process. */
  forget(): void {
    this.#recent.clear();
    this.#forgotten += 1;
  }
}
