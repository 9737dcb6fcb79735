import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/kernel/ports.ts';

export interface BackgroundWork {
  readonly name: string;
  /** Does a piece of the work; returns whether there is more at once. A long piece comes to its end soon after the signal's abort. */
  work(signal: AbortSignal): Promise<boolean>;
  /** How long to wait when there is nothing to do, or it failed. */
  readonly idleDelayMs: number;
  /** How many times as long as a piece took to pause after it; 1 unless said otherwise. */
  dutyCycle?(): number;
  /** Done by processes that only serve the API as well. */
  readonly everywhere?: boolean;
}

/**
 * Repeats work until it is stopped. After each piece it pauses at least as long as the piece took, so that it leaves room
 * to those who wait for responses.
 */
export class BackgroundLoop {
  readonly #work: BackgroundWork;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(work: BackgroundWork, log: Log) {
    this.#work = work;
    this.#log = log;
    this.#ended = this.#run();
  }

  /** Resolves once the piece under way is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const pause = await this.#piece();
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }

  async #piece(): Promise<number> {
    const started = performance.now();
    try {
      const more = await this.#work.work(this.#stop.signal);
      const dutyCycle = this.#work.dutyCycle?.() ?? 1;
      return more ? (performance.now() - started) * dutyCycle : this.#work.idleDelayMs;
    } catch (error) {
      this.#log.warn('background work failed and will be repeated', {
        work: this.#work.name,
        error: error instanceof Error ? error.message : String(error),
      });
      return this.#work.idleDelayMs;
    }
  }
}
