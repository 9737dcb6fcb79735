/** Of one integration, in one process. */
export const MAX_CALLS_IN_FLIGHT = 16;

/**
 * How many calls an integration gets at once. Halved when the provider asks to be left alone, and raised by one after as
 * many calls in a row as are let through that went well, as TCP does with its window.
 */
export class CallGate {
  readonly #max: number;
  #limit: number;
  #open = 0;
  #wentWell = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max = MAX_CALLS_IN_FLIGHT) {
    this.#max = max;
    this.#limit = max;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Makes the call once it is its turn. Rejects with the signal's reason when that is aborted before. */
  async through<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await call();
    } finally {
      this.#open -= 1;
      this.#letIn();
    }
  }

  wentWell(): void {
    this.#wentWell += 1;
    if (this.#wentWell < this.#limit || this.#limit === this.#max) return;
    this.#limit += 1;
    this.#wentWell = 0;
    this.#letIn();
  }

  slowDown(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#wentWell = 0;
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#open < this.#limit && this.#waiting.length === 0) {
      this.#open += 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const leave = (): void => {
      const at = this.#waiting.indexOf(turn.resolve);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      turn.reject(signal.reason);
    };
    this.#waiting.push(turn.resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Who is let in is counted here already, so that nobody comes between. */
  #letIn(): void {
    while (this.#open < this.#limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#open += 1;
      next();
    }
  }
}
