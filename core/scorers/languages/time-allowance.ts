import { DeadlineExceeded } from '../../kernel/deadline.ts';

/** A deadline that stands still while the call waits for what the host provides: others may be before it there. */
export class TimeAllowance {
  readonly #ms: number;
  readonly #over = new AbortController();
  #left: number;
  #waits = 0;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(ms: number) {
    this.#ms = ms;
    this.#left = ms;
    this.#start();
  }

  /** Aborted with DeadlineExceeded when the allowance is used up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Time that this work takes does not count. */
  async pauseFor<T>(work: () => Promise<T>): Promise<T> {
    this.#waits += 1;
    if (this.#waits === 1) this.#stop();
    try {
      return await work();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#start();
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    if (this.#isClosed) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#over.abort(new DeadlineExceeded(this.#ms)), this.#left);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#startedAt));
  }
}
