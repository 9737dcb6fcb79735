import type { Sha256 } from '../../kernel/digest.ts';
import { computeShare } from '../../scores/sampling.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { Judging, type JudgingDeps } from '../scoring/judging.ts';
import { type Lane, tasksOfLane } from '../scoring/lane.ts';
import type { ScorerKits } from '../scoring/scorer-kits.ts';
import type { ScoringJob } from '../scoring/scoring-queue.ts';
import { type ScoringTask, type TaskDeps, toTasks } from '../scoring/scoring-task.ts';
import { findSessionSubject } from '../scoring/session-subject.ts';
import { subjectsOfTrace } from '../scoring/subject.ts';
import type { ShadowStore } from './shadow-store.ts';
import type { ShadowTrial } from './shadow-trial.ts';

export interface ShadowScoringDeps extends JudgingDeps, TaskDeps {
  readonly traceStore: Pick<TraceStore, 'listTraces'>;
  readonly sessionStore: Pick<SessionStore, 'find' | 'listTraces'>;
  readonly shadowStore: ShadowStore;
  /** Of candidates: nothing of it is shown with records, counted, or rolled up. */
  readonly shadowScoreStore: ScoreStore;
  readonly scorerKits: ScorerKits;
  readonly sha256: Sha256;
}

const TRACES_AT_ONCE = 25;

/** Scores with candidates on trial, which judge their share of a job's records once the scorers of the run are through. */
export class ShadowScoring {
  readonly #deps: ShadowScoringDeps;

  constructor(deps: ShadowScoringDeps) {
    this.#deps = deps;
  }

  /**
   * Scores the complete traces and sessions of a job by all candidates whose scorers are of the lane. What a candidate has scored already is left out. Never rejects: a
   * candidate that fails must not have the job repeated; what it missed is missing in the report.
   */
  async score(job: ScoringJob, lane: Lane, signal: AbortSignal): Promise<void> {
    try {
      const trials = await this.#deps.shadowStore.list(job.project_id, job.run_id);
      if (trials.length === 0) return;
      const tasks = tasksOfLane(await toTasks(this.#deps, job.project_id, job.run_id), lane);
      for (const trial of trials) {
        const task = tasks.find(({ entry }) => entry.id === trial.scorer_id);
        if (task && (job.scorer_ids?.includes(trial.scorer_id) ?? true)) await this.#try(trial, task, job, signal);
      }
    } catch (error) {
      this.#deps.log.warn('candidates could not score', { run_id: job.run_id, reason: String(error) });
    }
  }

  async #try(trial: ShadowTrial, own: ScoringTask, job: ScoringJob, signal: AbortSignal): Promise<void> {
    const ids = job.trace_ids.filter((id) => isInTrial(trial, id));
    const session_ids = (job.session_ids ?? []).filter((id) => isInTrial(trial, id));
    const task = ids.length + session_ids.length > 0 && (await this.#candidate(trial, own));
    if (!task) return;
    const { project_id, run_id } = trial;
    const getKit = this.#deps.scorerKits.forJob();
    const judging = new Judging(this.#deps, { project_id, run_id, tasks: [task], getKit, signal });
    for (let at = 0; at < ids.length; at += TRACES_AT_ONCE) {
      signal.throwIfAborted();
      await this.#judge(judging, trial, ids.slice(at, at + TRACES_AT_ONCE));
    }
    for (const id of session_ids) {
      signal.throwIfAborted();
      const found = await findSessionSubject(this.#deps, trial, id);
      if (found && !found.isTooLong) await judging.judge([found.subject], this.#deps.shadowScoreStore);
    }
  }

  async #judge(judging: Judging, { project_id, run_id }: ShadowTrial, ids: readonly string[]): Promise<void> {
    const records = await this.#deps.traceStore.listTraces(project_id, run_id, ids);
    const traces = [...Map.groupBy(records, ({ trace_id }) => trace_id).values()];
    const complete = traces.filter(([trace]) => trace?.type === 'trace' && trace.is_complete);
    const subjects = complete.flatMap((trace) => subjectsOfTrace(trace, this.#deps.sha256));
    if (subjects.length > 0) await judging.judge(subjects, this.#deps.shadowScoreStore);
  }

  /** The scorer's own task in the run, with the candidate in place of its version. */
  async #candidate({ scorer_version_id }: ShadowTrial, own: ScoringTask): Promise<ScoringTask | undefined> {
    const version = await this.#deps.scorerStore.findVersion(scorer_version_id);
    return version && { ...own, version };
  }
}

/** By a hash of its own: the share is one of what the run's own samples leave, not of what they leave out. */
const isInTrial = ({ scorer_version_id, sample_rate }: ShadowTrial, id: string): boolean =>
  computeShare(`${scorer_version_id} ${id}`) < sample_rate;
