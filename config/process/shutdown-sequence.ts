import type { Log } from '../../core/kernel/ports.ts';

/** Graceful shutdown: the steps that end the parts of the service, run in the opposite order of that in which they were added. */
export class ShutdownSequence {
  readonly #log: Log;
  readonly #steps: (() => Promise<unknown>)[] = [];
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get hasBegun(): boolean {
    return this.#running !== undefined;
  }

  /** Throws an Error when the shutdown has begun: whoever is still starting parts up then has to leave off. */
  add(step: () => Promise<unknown>): void {
    if (this.hasBegun) throw new Error('asked to end while starting');
    this.#steps.push(step);
  }

  /** Resolves once all steps have ended. A step that fails is logged and holds up none; a second call waits for the first. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (const step of this.#steps.reverse())
      await Promise.try(step).catch((error: unknown) => this.#log.error('while stopping', { error: String(error) }));
  }
}
