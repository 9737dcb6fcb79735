/** Of one integration: closed lets all calls pass, open none, half_open one at a time. */
export type CircuitState = 'closed' | 'open' | 'half_open';

export interface CircuitSettings {
  /** Calls in a row without an answer in time, each about something else, that open it. */
  readonly maxTimeouts: number;
  /** The same for calls that failed in any way that speaks of the provider. */
  readonly maxFailures: number;
  /** How long it stays open at first, in milliseconds; doubled by each try that fails, up to `maxOpenMs`. */
  readonly openMs: number;
  readonly maxOpenMs: number;
}

export const CIRCUIT_SETTINGS: CircuitSettings = { maxTimeouts: 5, maxFailures: 20, openMs: 15_000, maxOpenMs: 120_000 };

export interface Admission {
  /** Undefined: the call may be made. */
  readonly retryAfterMs: number | undefined;
  /** Whether this call is the try that decides. */
  readonly isTry: boolean;
}

/**
 * Circuit breaker: keeps from calling a provider that does not answer. What is counted are different questions, so that one
 * that the provider cannot answer does not count for more than one.
 */
export class CircuitBreaker {
  readonly #settings: CircuitSettings;
  readonly #timedOut = new Set<string>();
  readonly #failed = new Set<string>();
  #opened = 0;
  #openUntil: number | undefined;
  #isTrying = false;

  constructor(settings: CircuitSettings = CIRCUIT_SETTINGS) {
    this.#settings = settings;
  }

  stateAt(now: number): CircuitState {
    if (this.#openUntil === undefined) return 'closed';
    return now < this.#openUntil ? 'open' : 'half_open';
  }

  /** Asks leave for a call. A try has to end by `onSuccess`, `onFailure` or `onCancel`. */
  admit(now: number): Admission {
    const state = this.stateAt(now);
    if (state === 'closed') return { retryAfterMs: undefined, isTry: false };
    if (state === 'open') return { retryAfterMs: this.#openUntil! - now, isTry: false };
    if (this.#isTrying) return { retryAfterMs: this.#settings.openMs / 3, isTry: false };
    this.#isTrying = true;
    return { retryAfterMs: undefined, isTry: true };
  }

  /** The provider has answered, be it that it refuses. */
  onSuccess(): void {
    this.#timedOut.clear();
    this.#failed.clear();
    this.#openUntil = undefined;
    this.#isTrying = false;
    this.#opened = 0;
  }

  onFailure(now: number, question: string, { timedOut, isTry }: { timedOut: boolean; isTry: boolean }): void {
    if (isTry) {
      this.#open(now);
      return;
    }
    if (this.#openUntil !== undefined) return;
    this.#failed.add(question);
    if (timedOut) this.#timedOut.add(question);
    const { maxTimeouts, maxFailures } = this.#settings;
    if (this.#timedOut.size >= maxTimeouts || this.#failed.size >= maxFailures) this.#open(now);
  }

  /** The call ended without telling anything of the provider. */
  onCancel({ isTry }: { isTry: boolean }): void {
    if (isTry) this.#isTrying = false;
  }

  #open(now: number): void {
    const { openMs, maxOpenMs } = this.#settings;
    this.#openUntil = now + Math.min(maxOpenMs, openMs * 2 ** this.#opened);
    this.#opened += 1;
    this.#isTrying = false;
    this.#timedOut.clear();
    this.#failed.clear();
  }
}

const MAX_KEPT = 10_000;

/** One for each integration, in this process: what one user's provider does says nothing of another one's. */
export class CircuitBreakers {
  readonly #all = new Map<string, CircuitBreaker>();

  of(integration_id: string): CircuitBreaker {
    const known = this.#all.get(integration_id) ?? new CircuitBreaker();
    this.#all.delete(integration_id);
    this.#all.set(integration_id, known);
    if (this.#all.size > MAX_KEPT) this.#all.delete(this.#all.keys().next().value!);
    return known;
  }

  getState(integration_id: string, now: number): CircuitState {
    return this.#all.get(integration_id)?.stateAt(now) ?? 'closed';
  }

  /** How many are not closed. */
  tripped(now: number): number {
    return this.#all.values().reduce((sum, circuit) => sum + (circuit.stateAt(now) === 'closed' ? 0 : 1), 0);
  }
}
