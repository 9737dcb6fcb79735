import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/kernel/ports.ts';

export interface BackgroundWork {
  readonly name: string;
  /** Does a piece of the work; returns whether there is more at once. A long piece comes to its end soon after the signal's abort. */
  work(signal: AbortSignal): Promise<boolean>;
  /** How long to wait when there is nothing to do, or it failed. */
  readonly idleDelayMs: number;
  /** How many times as long as a piece took to pause after it; 1 unless said otherwise. Asked again while the pause lasts. */
  dutyCycle?(): number;
  /** Done by processes that only serve the API as well. */
  readonly everywhere?: boolean;
}

/** How often a pause looks whether it is still as long: what it left room for may be over by now. */
const LOOK_MS = 50;

/** How the last piece of work ended, and in milliseconds how long it took. */
interface Piece {
  readonly hasMore: boolean;
  readonly tookMs: number;
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
    while (!this.#stop.signal.aborted) await this.#pause(await this.#piece());
  }

  async #piece(): Promise<Piece> {
    const started = performance.now();
    try {
      const hasMore = await this.#work.work(this.#stop.signal);
      return { hasMore, tookMs: performance.now() - started };
    } catch (error) {
      this.#log.warn('background work failed and will be repeated', {
        work: this.#work.name,
        error: error instanceof Error ? error.message : String(error),
      });
      return { hasMore: false, tookMs: 0 };
    }
  }

  async #pause({ hasMore, tookMs }: Piece): Promise<void> {
    if (!hasMore) return this.#sleep(this.#work.idleDelayMs);
    const began = performance.now();
    const left = (): number => tookMs * (this.#work.dutyCycle?.() ?? 1) - (performance.now() - began);
    let ms = left();
    do {
      await this.#sleep(Math.max(0, Math.min(ms, LOOK_MS)));
      ms = left();
    } while (ms > 0 && !this.#stop.signal.aborted);
  }

  /** Ends early when the loop is stopped. */
  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => {});
  }
}
