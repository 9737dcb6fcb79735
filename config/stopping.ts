import type { Log } from '../core/kernel/ports.ts';

/** What has to be ended, the latest first. */
export class Stopping {
  readonly #log: Log;
  readonly #steps: (() => Promise<unknown>)[] = [];
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get hasBegun(): boolean {
    return this.#running !== undefined;
  }

  /** Throws when the end has begun: whoever is still starting things up then has to leave off. */
  add(step: () => Promise<unknown>): void {
    if (this.hasBegun) throw new Error('asked to end while starting');
    this.#steps.push(step);
  }

  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (const step of this.#steps.reverse())
      await Promise.try(step).catch((error: unknown) => this.#log.error('while stopping', { error: String(error) }));
  }
}
