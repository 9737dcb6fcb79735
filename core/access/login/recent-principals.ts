import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import { SingleFlightCache } from '../../kernel/single-flight-cache.ts';

/** Credentials that were proven a moment ago, so that a busy client does not cost a look into the store with every request. */
export class RecentPrincipals {
  readonly #cache: SingleFlightCache<object>;

  constructor({ clock }: { clock: Clock }) {
    this.#cache = new SingleFlightCache(clock);
  }

  /** Returns what was proven within its time, else proves anew. A refusal is not remembered. */
  async remembered<T extends object>(proof: string, forMs: number, prove: () => Promise<T | undefined>): Promise<T | undefined> {
    const other = this.#cache.underWay(proof);
    const found = this.#cache.recent(proof) ?? (other && (await other.catch(unlessRefused)));
    // Each kind of proof has names of its own, so what is found under one is what was put there.
    return (found ?? this.#cache.lookUp(proof, forMs, prove)) as T | undefined | Promise<T | undefined>;
  }

  /** Has a proof made anew the next time. */
  drop(proof: string): void {
    this.#cache.drop(proof);
  }

  /** To be called after every change of users and keys, so that it takes effect at once in this process. */
  forget(): void {
    this.#cache.forget();
  }
}

/** A refusal may be of the other request alone, such as of a network that sends many bad keys; a database that is away is so for all. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof AppError && error.kind !== 'unavailable') return undefined;
  throw error;
}
