import { DeadlineExceeded } from '../../kernel/deadline.ts';
import { PluginError, type ScoreOutcome } from '../../plugin-sdk/index.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import { Judging, type JudgingDeps, type JudgingJob } from '../scoring/judging.ts';
import type { Subject } from '../scoring/subject.ts';

/** How long a trial waits. */
export interface TrialLimits {
  /** For all that a required scorer says of one batch of records, in ms. */
  readonly required_ms: number;
  /** For the next that the candidate says, in ms. Longer than one call of a model may take. */
  readonly candidate_ms: number;
}

/**
 * The candidate of a trial and the scorers that it requires, under deadlines. Somebody waits for a trial: whoever gives no result
 * in time, or whose provider is not to be asked now, has failed, with the reason, and is not asked again in this trial. In the
 * place of a required one the candidate is told null.
 */
export class TrialScorers {
  readonly #deps: JudgingDeps;
  readonly #job: JudgingJob;
  readonly #limits: TrialLimits;
  /** Reasons by the ids of versions. */
  readonly #silent = new Map<string, string>();

  /** `job` has the required scorers first, in the order in which they need each other, and the candidate last. */
  constructor(deps: JudgingDeps, job: JudgingJob, limits: TrialLimits) {
    this.#deps = deps;
    this.#job = job;
    this.#limits = limits;
  }

  /** Has each say something of all subjects, or writes that it has not. */
  async judge(subjects: readonly Subject[], store: ScoreStore): Promise<void> {
    for (const [at, { version }] of this.#job.tasks.entries()) {
      const message = this.#silent.get(version.id) ?? (await this.#ask(at, subjects, store));
      if (message === undefined) continue;
      this.#silent.set(version.id, message);
      const failed: ScoreOutcome = { status: 'failed', message };
      await this.#judging(at, this.#job.signal).settle(subjects, store, failed);
    }
  }

  /** Returns why there is no result; undefined when there is one. */
  async #ask(at: number, subjects: readonly Subject[], store: ScoreStore): Promise<string | undefined> {
    const isCandidate = at === this.#job.tasks.length - 1;
    const late = new IdleTimeout(isCandidate ? this.#limits.candidate_ms : this.#limits.required_ms);
    const judging = this.#judging(at, AbortSignal.any([this.#job.signal, late.signal]));
    try {
      await judging.judge(subjects, isCandidate ? late.restartedBy(store) : store);
      return judging.deferred?.message;
    } catch (error) {
      this.#job.signal.throwIfAborted();
      if (late.signal.aborted) return (late.signal.reason as Error).message;
      if (error instanceof PluginError && !isCandidate) return error.message;
      throw error;
    } finally {
      late.stop();
    }
  }

  /** Those before it have said what they say. */
  #judging(at: number, signal: AbortSignal): Judging {
    return new Judging(this.#deps, { ...this.#job, tasks: this.#job.tasks.slice(0, at + 1), signal });
  }
}

/** Aborts its signal once nothing has happened for so long. */
class IdleTimeout {
  readonly #ms: number;
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#begin();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** The store, which takes what is stored as a sign that work goes on. */
  restartedBy(store: ScoreStore): ScoreStore {
    return {
      list: (project_id, run_id, record_ids) => store.list(project_id, run_id, record_ids),
      insert: (scores) => {
        this.stop();
        this.#timer = this.#begin();
        return store.insert(scores);
      },
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #begin(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#over.abort(new DeadlineExceeded(this.#ms)), this.#ms);
  }
}
