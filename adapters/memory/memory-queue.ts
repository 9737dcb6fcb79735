import { AsyncLocalStorage } from 'node:async_hooks';
import { FairShare } from '../../core/kernel/fairness/fair-share.ts';
import { RoundRobin } from '../../core/kernel/fairness/round-robin.ts';
import { Deferred, type WorkQueue } from '../../core/kernel/work-queue.ts';

const MAX_TRIES = 3;
const SHARE = { slots: 6, perKey: 2 };

type Handle<T> = (job: T, signal: AbortSignal) => Promise<void>;
type GiveUp<T> = (job: T) => Promise<void>;

/** Jobs in this process only: done as soon as somebody works, in turns over their owners. */
export class MemoryQueue<T> implements WorkQueue<T> {
  readonly #waiting = new RoundRobin<T>();
  readonly #share = new FairShare(SHARE, () => performance.now());
  readonly #over = new AbortController();
  readonly #getOwner: (job: T) => string;
  readonly #underWay = new Set<Promise<void>>();
  readonly #deferred = new Map<NodeJS.Timeout, T>();
  #stopping = false;
  #run: ((job: T) => Promise<void>) | undefined;

  constructor(getOwner: (job: T) => string) {
    this.#getOwner = getOwner;
  }

  readonly enqueue = (job: T): void => {
    const copy = structuredClone(job);
    this.#waiting.push([this.#getOwner(copy)], copy);
    this.#serve();
  };

  /** Removes jobs that match and are not under way. */
  discard(matches: (job: T) => boolean): void {
    this.#waiting.removeWhere(matches);
    for (const [timer, job] of this.#deferred) {
      if (!matches(job)) continue;
      clearTimeout(timer);
      this.#deferred.delete(timer);
    }
  }

  async put(job: T): Promise<void> {
    this.enqueue(job);
  }

  async work(handle: Handle<T>, giveUp: GiveUp<T>): Promise<void> {
    // Jobs are done in the name of whoever works, not of whoever happened to leave them.
    const outside = AsyncLocalStorage.snapshot();
    this.#run = (job) => outside(() => this.#try(job, handle, giveUp));
    this.#serve();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#deferred.keys()) clearTimeout(timer);
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, graceMs);
    await Promise.race([Promise.all(this.#underWay), limit.promise]);
    clearTimeout(timer);
    this.#over.abort();
  }

  async depth(): Promise<number> {
    return this.#waiting.size + this.#underWay.size + this.#deferred.size;
  }

  #serve(): void {
    while (this.#run && !this.#stopping) {
      const owner = this.#share.pick(this.#waiting.keys());
      const job = owner === undefined ? undefined : this.#waiting.shift(owner);
      if (job === undefined) return;
      this.#begin(job, this.#run);
    }
  }

  #begin(job: T, run: (job: T) => Promise<void>): void {
    const release = this.#share.begin(this.#getOwner(job));
    const done = run(job).finally(() => {
      this.#underWay.delete(done);
      release();
      this.#serve();
    });
    this.#underWay.add(done);
  }

  async #try(job: T, handle: Handle<T>, giveUp: GiveUp<T>): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !this.#stopping; tries += 1) {
      try {
        return await handle(job, this.#over.signal);
      } catch (error) {
        if (error instanceof Deferred && error.job !== undefined) return this.#defer(error.job as T, error.delayMs);
        // The next try, or giving up, says what became of it.
      }
    }
    if (!this.#stopping) await giveUp(job).catch(() => {});
  }

  #defer(job: T, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#deferred.delete(timer);
      if (!this.#stopping) this.enqueue(job);
    }, delayMs);
    this.#deferred.set(timer, job);
  }
}
