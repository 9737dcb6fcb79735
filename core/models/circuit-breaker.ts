/** Of one integration: closed lets all calls pass, open none, half_open one at a time. */
export type CircuitState = 'closed' | 'open' | 'half_open';

export interface CircuitSettings {
  /** Calls in a row without a response in time, each about something else, that open it. */
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
  /** Whether it is no completion: its success says nothing of completions, its failure does. */
  readonly isProbe: boolean;
}

/**
 * Circuit breaker: keeps from calling a provider that does not respond. What is counted are different questions, so that one
 * that the provider cannot respond to does not count for more than one.
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

  /** How long it is open yet, in milliseconds; 0 when it is not. */
  openMsAt(now: number): number {
    return this.stateAt(now) === 'open' ? this.#openUntil! - now : 0;
  }

  /** Asks leave for a completion. A try has to end by `onSuccess`, `onFailure` or `onCancel`. */
  admit(now: number): Admission {
    const state = this.stateAt(now);
    const admitted = { retryAfterMs: undefined, isTry: false, isProbe: false };
    if (state === 'closed') return admitted;
    if (state === 'open') return { ...admitted, retryAfterMs: this.openMsAt(now) };
    if (this.#isTrying) return { ...admitted, retryAfterMs: this.#settings.openMs / 3 };
    this.#isTrying = true;
    return { ...admitted, isTry: true };
  }

  /** Asks leave for another call. Half open it is admitted beside the try: who wants to try has to list the models first. */
  admitProbe(now: number): Admission {
    return { retryAfterMs: this.openMsAt(now) || undefined, isTry: false, isProbe: true };
  }

  /** The provider has answered, be it that it refuses. */
  onSuccess({ isProbe }: Pick<Admission, 'isProbe'> = { isProbe: false }): void {
    if (isProbe) return;
    this.#timedOut.clear();
    this.#failed.clear();
    this.#openUntil = undefined;
    this.#isTrying = false;
    this.#opened = 0;
  }

  onFailure(
    now: number,
    question: string,
    { timedOut, isTry, isProbe = false }: { timedOut: boolean; isTry: boolean; isProbe?: boolean },
  ): void {
    if (isTry || (isProbe && this.stateAt(now) === 'half_open')) {
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
