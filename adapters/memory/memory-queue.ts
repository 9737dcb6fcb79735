import type { WorkQueue } from '../../core/kernel/work-queue.ts';

const MAX_TRIES = 3;

type Handle<T> = (job: T, signal: AbortSignal) => Promise<void>;
type GiveUp<T> = (job: T) => Promise<void>;

/** Jobs in this process only: done one after the other as soon as somebody works. */
export class MemoryQueue<T> implements WorkQueue<T> {
  readonly #waiting: T[] = [];
  readonly #over = new AbortController();
  #stopping = false;
  #wake: (() => void) | undefined;
  #underWay = 0;
  #loop: Promise<void> = Promise.resolve();

  readonly enqueue = (job: T): void => {
    this.#waiting.push(structuredClone(job));
    this.#wake?.();
  };

  async work(handle: Handle<T>, giveUp: GiveUp<T>): Promise<void> {
    this.#loop = this.#run(handle, giveUp);
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, graceMs);
    await Promise.race([this.#loop, limit.promise]);
    clearTimeout(timer);
    this.#over.abort();
  }

  async depth(): Promise<number> {
    return this.#waiting.length + this.#underWay;
  }

  async #run(handle: Handle<T>, giveUp: GiveUp<T>): Promise<void> {
    while (!this.#stopping) {
      const job = this.#waiting.shift();
      if (job === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      this.#underWay += 1;
      await this.#try(job, handle, giveUp);
      this.#underWay -= 1;
    }
  }

  async #try(job: T, handle: Handle<T>, giveUp: GiveUp<T>): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !this.#stopping; tries += 1) {
      try {
        return await handle(job, this.#over.signal);
      } catch {
        // The next try, or giving up, says what became of it.
      }
    }
    if (!this.#stopping) await giveUp(job).catch(() => {});
  }
}
