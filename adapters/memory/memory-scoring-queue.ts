import type { ScoringJob, ScoringQueue } from '../../core/scorers/scoring-queue.ts';

const MAX_TRIES = 3;

/** Jobs in this process only: done one after the other as soon as somebody works. */
export class MemoryScoringQueue implements ScoringQueue {
  readonly #waiting: ScoringJob[] = [];
  readonly #stopping = new AbortController();
  #wake: (() => void) | undefined;
  #underWay = 0;
  #loop: Promise<void> = Promise.resolve();

  readonly enqueue = (job: ScoringJob): void => {
    this.#waiting.push(structuredClone(job));
    this.#wake?.();
  };

  async work(
    score: (job: ScoringJob, signal: AbortSignal) => Promise<void>,
    giveUp: (job: ScoringJob) => Promise<void>,
  ): Promise<void> {
    this.#loop = this.#run(score, giveUp);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake?.();
    await this.#loop;
  }

  async depth(): Promise<number> {
    return this.#waiting.length + this.#underWay;
  }

  async #run(
    score: (job: ScoringJob, signal: AbortSignal) => Promise<void>,
    giveUp: (job: ScoringJob) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const job = this.#waiting.shift();
      if (!job) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      this.#underWay += 1;
      await this.#try(job, score, giveUp, signal).finally(() => {
        this.#underWay -= 1;
      });
    }
  }

  async #try(
    job: ScoringJob,
    score: (job: ScoringJob, signal: AbortSignal) => Promise<void>,
    giveUp: (job: ScoringJob) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !signal.aborted; tries += 1) {
      try {
        return await score(job, signal);
      } catch {
        // The next try, or giving up, says what became of it.
      }
    }
    if (!signal.aborted) await giveUp(job);
  }
}
