import type { Clock } from '../kernel/ports.ts';
import type { Principal } from './caller.ts';

const MAX_RECENT = 10_000;

/** Credentials that were proven a moment ago, so that a busy client does not cost a look into the store with every request. */
export class RecentPrincipals {
  readonly #clock: Clock;
  readonly #recent = new Map<string, { readonly principal: Principal; readonly until: number }>();
  /** Times that all was forgotten: what was proven before the last one must not be remembered after it. */
  #forgotten = 0;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** Answers what was proven within its time, else proves anew. A refusal is not remembered. */
  async remembered(proof: string, forMs: number, prove: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    const now = this.#clock().getTime();
    const known = this.#recent.get(proof);
    if (known && known.until > now) return known.principal;
    const forgotten = this.#forgotten;
    const principal = await prove();
    this.#recent.delete(proof);
    if (principal && forgotten === this.#forgotten) this.#recent.set(proof, { principal, until: now + forMs });
    if (this.#recent.size > MAX_RECENT) this.#recent.delete(this.#recent.keys().next().value!);
    return principal;
  }

  /** To be called after every change of users and keys, so that it takes effect at once in this process. */
  forget(): void {
    this.#recent.clear();
    this.#forgotten += 1;
  }
}
