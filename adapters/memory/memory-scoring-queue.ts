import type { ScoringJob, ScoringQueue } from '../../core/scorers/scoring-queue.ts';

const MAX_TRIES = 3;

type Score = (job: ScoringJob, signal: AbortSignal) => Promise<void>;
type GiveUp = (job: ScoringJob) => Promise<void>;

/** Jobs in this process only: done one after the other as soon as somebody works. */
export class MemoryScoringQueue implements ScoringQueue {
  readonly #waiting: ScoringJob[] = [];
  readonly #over = new AbortController();
  #stopping = false;
  #wake: (() => void) | undefined;
  #underWay = 0;
  #loop: Promise<void> = Promise.resolve();

  readonly enqueue = (job: ScoringJob): void => {
    this.#waiting.push(structuredClone(job));
    this.#wake?.();
  };

  async work(score: Score, giveUp: GiveUp): Promise<void> {
    this.#loop = this.#run(score, giveUp);
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

  async #run(score: Score, giveUp: GiveUp): Promise<void> {
    while (!this.#stopping) {
      const job = this.#waiting.shift();
      if (!job) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      this.#underWay += 1;
      await this.#try(job, score, giveUp);
      this.#underWay -= 1;
    }
  }

  async #try(job: ScoringJob, score: Score, giveUp: GiveUp): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && !this.#stopping; tries += 1) {
      try {
        return await score(job, this.#over.signal);
      } catch {
        // The next try, or giving up, says what became of it.
      }
    }
    if (!this.#stopping) await giveUp(job).catch(() => {});
  }
}
