import { PluginError, type ScoreOutcome } from '../../plugin-sdk/index.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import { Judging, type JudgingDeps, type JudgingJob } from '../scoring/judging.ts';
import type { Subject } from '../scoring/subject.ts';

/**
 * The scorers that a candidate requires. Somebody waits for a trial: whoever gives no answer within a deadline has failed,
 * with the reason, and is not asked again in this trial; the candidate is told null in its place.
 */
export class RequiredScorers {
  readonly #deps: JudgingDeps;
  readonly #job: JudgingJob;
  readonly #deadline_ms: number;
  /** Reasons by the ids of versions. */
  readonly #silent = new Map<string, string>();

  /** `job` has the required scorers first, in the order in which they need each other, and the candidate last. */
  constructor(deps: JudgingDeps, job: JudgingJob, deadline_ms: number) {
    this.#deps = deps;
    this.#job = job;
    this.#deadline_ms = deadline_ms;
  }

  /** Has each say something of all subjects, or writes that it has not. */
  async answer(subjects: readonly Subject[], store: ScoreStore): Promise<void> {
    for (const [at, { version }] of this.#job.tasks.slice(0, -1).entries()) {
      const message = this.#silent.get(version.id) ?? (await this.#ask(at, subjects, store));
      if (message === undefined) continue;
      this.#silent.set(version.id, message);
      const failed: ScoreOutcome = { status: 'failed', message };
      await this.#judging(at, this.#job.signal).settle(subjects, store, failed);
    }
  }

  /** Returns why there is no answer; undefined when there is one. */
  async #ask(at: number, subjects: readonly Subject[], store: ScoreStore): Promise<string | undefined> {
    const late = AbortSignal.timeout(this.#deadline_ms);
    try {
      await this.#judging(at, AbortSignal.any([this.#job.signal, late])).judge(subjects, store);
      return undefined;
    } catch (error) {
      this.#job.signal.throwIfAborted();
      if (late.aborted) return `no answer within ${this.#deadline_ms / 1000} seconds`;
      if (error instanceof PluginError) return error.message;
      throw error;
    }
  }

  /** Those before it have said what they say. */
  #judging(at: number, signal: AbortSignal): Judging {
    return new Judging(this.#deps, { ...this.#job, tasks: this.#job.tasks.slice(0, at + 1), signal });
  }
}
