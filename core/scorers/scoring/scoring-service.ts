import type { Sha256 } from '../../kernel/digest.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import type { ScoreOutcome } from '../../plugin-sdk/index.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { SessionStore } from '../../traces/sessions/session-store.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import type { JudgeCallStore } from '../evidence/judge-call-store.ts';
import type { IdleSessions } from './idle-sessions.ts';
import { CODE_AT_ONCE, Judging, type JudgingDeps } from './judging.ts';
import { independentTasks, type Lane, tasksOfLane } from './lane.ts';
import type { ScorerKits } from './scorer-kits.ts';
import type { ScoringJob, ScoringQueue } from './scoring-queue.ts';
import { type ScoringTask, scoresSessions, type TaskDeps, toTasks } from './scoring-task.ts';
import { findSessionSubject, MAX_TRACES_OF_SESSION } from './session-subject.ts';
import { type Subject, subjectsOfTrace } from './subject.ts';
import { TaskWatch, type TaskWatchDeps } from './task-watch.ts';

export interface ScoringDeps extends JudgingDeps, TaskDeps, Pick<TaskWatchDeps, 'suspensionStore'> {
  readonly traceStore: TraceStore;
  readonly sessionStore: SessionStore;
  readonly scoreStore: ScoreStore;
  readonly sessionScoreStore: ScoreStore;
  readonly idleSessions: IdleSessions;
  readonly judgeCallStore: Pick<JudgeCallStore, 'keep'>;
  readonly scorerKits: ScorerKits;
  /** Queue of jobs that call models. */
  readonly modelScoringQueue: Pick<ScoringQueue, 'put'>;
  readonly sha256: Sha256;
}

/** Traces that are read at once. */
const TRACES_AT_ONCE = 25;
/** How often records are looked at that change while they are judged, before the job is put off. */
const MAX_LOOKS = 5;

/** How long a job may hold its slot, in milliseconds; it is handed back after the batch in which that ends. */
const SLICE_MS: Readonly<Record<Lane, number>> = { code: 5_000, model: 120_000 };
/** How long a job may take as a whole; then its calls are cancelled, and it is handed back. */
const DEADLINE_MS = 300_000;
const TOO_SLOW = new Deferred(undefined, 1_000, `no result within ${DEADLINE_MS / 1_000} seconds`);
/** How long records wait for a provider that does not respond, before they are written as failed. */
const MAX_WAIT_MS = 15 * 60_000;

const GIVEN_UP = { status: 'failed', message: 'Scoring was given up after repeated failures.' } as const;
const TOO_LONG = { status: 'not_applicable', message: `The session has more than ${MAX_TRACES_OF_SESSION} traces.` } as const;

/** Records to judge, and the query to read them again. */
interface Look {
  readonly subjects: readonly Subject[];
  again(): Promise<readonly Subject[]>;
}

/** Scores the records of a job: judges those not judged in their present state, and writes each verdict once. */
export class ScoringService {
  readonly #deps: ScoringDeps;

  constructor(deps: ScoringDeps) {
    this.#deps = deps;
  }

  /**
   * Scores the complete traces and sessions of a job by code, and hands it on to the judges, a job for each that does not
   * depend on another. What has a score already, and has not changed since, is left out, so a job may be repeated at any
   * point. Rejects when a scorer could not judge at all and may later; the queue then repeats the job. Rejects with
   * `Deferred` when it has had its time.
   */
  async score(job: ScoringJob, signal: AbortSignal): Promise<void> {
    const tasks = await toTasks(this.#deps, job.project_id, job.run_id);
    const failure = await this.#scoreBy('code', tasks, job, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof Deferred) throw error;
      return { error };
    });
    await this.#handOn(tasks, job);
    if (failure) throw failure.error;
  }

  async #handOn(tasks: readonly ScoringTask[], { project_id, run_id, trace_ids, session_ids = [] }: ScoringJob): Promise<void> {
    for (const group of independentTasks(tasksOfLane(tasks, 'model'))) {
      const scorer_ids = group.map(({ entry }) => entry.id);
      await this.#deps.modelScoringQueue.put({ project_id, run_id, trace_ids, session_ids, scorer_ids });
    }
  }

  /** The same for what asks models. A provider that is not to be asked now defers the job, for so long at most. */
  async scoreByModels(job: ScoringJob, signal: AbortSignal): Promise<void> {
    const tasks = await toTasks(this.#deps, job.project_id, job.run_id);
    await this.#scoreBy('model', tasks, job, signal);
  }

  async #scoreBy(lane: Lane, tasks: readonly ScoringTask[], job: ScoringJob, signal: AbortSignal): Promise<void> {
    const { project_id, run_id, scorer_ids } = job;
    const own = tasksOfLane(tasks, lane).filter(({ entry }) => scorer_ids?.includes(entry.id) ?? true);
    if (own.length === 0) return;
    const watch = new TaskWatch(this.#deps, { project_id, run_id, tasks: own });
    const getKit = this.#deps.scorerKits.forJob();
    const over = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const sliceEndsAt = this.#deps.clock().getTime() + SLICE_MS[lane];
    const signalOf = (task: ScoringTask) => watch.signalOf(task);
    const { judgeCallStore } = this.#deps;
    const work = { project_id, run_id, tasks, own, getKit, judgeCallStore, signal: over, signalOf, sliceEndsAt };
    const judging = new Judging(this.#deps, work);
    try {
      await this.#judgeAll(judging, job, over);
    } catch (error) {
      signal.throwIfAborted();
      if (over.aborted) return this.#putOff(judging, job, TOO_SLOW);
      throw error instanceof Deferred ? new Deferred(job, error.delayMs, error.message) : error;
    } finally {
      watch.stop();
    }
    if (judging.deferred) await this.#putOff(judging, job, judging.deferred);
  }

  /** Waits for the provider, unless the job has done so for too long. */
  async #putOff(judging: Judging, job: ScoringJob, { delayMs, message }: Deferred): Promise<void> {
    const now = this.#deps.clock();
    const waits_since = (judging.hasStored ? undefined : job.waits_since) ?? now.toISOString();
    if (now.getTime() - Date.parse(waits_since) < MAX_WAIT_MS) throw new Deferred({ ...job, waits_since }, delayMs, message);
    await this.#settle(judging, job, { status: 'failed', message });
  }

  async #judgeAll(judging: Judging, job: ScoringJob, signal: AbortSignal): Promise<void> {
    const { scoreStore, sessionScoreStore } = this.#deps;
    const failures: unknown[] = [];
    const attempt = (look: Look, store: ScoreStore) =>
      untilStored(judging, look, store).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof Deferred) throw error;
        failures.push(error);
      });
    for await (const traces of this.#batches(job, judging.tasks, signal)) {
      const ids = traces.map(([trace]) => trace!.id);
      const again = async () => this.#toSubjects(await this.#completeTraces(job, ids));
      await attempt({ subjects: this.#toSubjects(traces), again }, scoreStore);
    }
    for (const id of job.session_ids ?? []) {
      signal.throwIfAborted();
      const again = () => this.#sessionSubjects(job, id, judging);
      await attempt({ subjects: await again(), again }, sessionScoreStore);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Ends the wait for scores that will not come: each is written as failed, with the reason. */
  async giveUp(job: ScoringJob): Promise<void> {
    const { project_id, run_id, scorer_ids } = job;
    const tasks = await toTasks(this.#deps, project_id, run_id);
    // The judges get a job of their own, which does as it can.
    const own = scorer_ids ? tasks.filter(({ entry }) => scorer_ids.includes(entry.id)) : tasksOfLane(tasks, 'code');
    const { signal } = new AbortController();
    const judging = new Judging(this.#deps, { project_id, run_id, tasks, own, getKit: this.#deps.scorerKits.forJob(), signal });
    await this.#settle(judging, job, GIVEN_UP);
    if (!scorer_ids) await this.#handOn(tasks, job);
  }

  async #settle(judging: Judging, job: ScoringJob, outcome: ScoreOutcome): Promise<void> {
    for await (const traces of this.#batches(job, judging.tasks, new AbortController().signal))
      await judging.settle(this.#toSubjects(traces), this.#deps.scoreStore, outcome);
    for (const id of job.session_ids ?? [])
      await judging.settle(await this.#sessionSubjects(job, id, judging), this.#deps.sessionScoreStore, outcome);
  }

  /** Complete traces of the job, as many at a time as fill a call of a program. Their sessions are noted on the way. */
  async *#batches(job: ScoringJob, tasks: readonly ScoringTask[], signal: AbortSignal): AsyncGenerator<LogRecord[][]> {
    const withSessions = tasks.some(scoresSessions);
    let batch: LogRecord[][] = [];
    for (let at = 0; at < job.trace_ids.length; at += TRACES_AT_ONCE) {
      signal.throwIfAborted();
      const traces = await this.#completeTraces(job, job.trace_ids.slice(at, at + TRACES_AT_ONCE));
      if (withSessions && traces.length > 0) await this.#noteSessions(job, traces);
      batch.push(...traces);
      if (batch.reduce((sum, { length }) => sum + length, 0) < CODE_AT_ONCE) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  #noteSessions({ project_id, run_id }: ScoringJob, traces: readonly LogRecord[][]): Promise<void> {
    const ids = new Set(traces.map(([trace]) => trace!.session_id));
    return this.#deps.idleSessions.note(project_id, run_id, [...ids]);
  }

  #toSubjects(traces: readonly LogRecord[][]): Subject[] {
    return traces.flatMap((records) => subjectsOfTrace(records, this.#deps.sha256));
  }

  /** The trace first in each. */
  async #completeTraces({ project_id, run_id }: ScoringJob, trace_ids: readonly string[]): Promise<LogRecord[][]> {
    const records = await this.#deps.traceStore.listTraces(project_id, run_id, trace_ids);
    const byTrace = Map.groupBy(records, ({ trace_id }) => trace_id);
    const traces = trace_ids.map((id) => byTrace.get(id) ?? []);
    return [...new Set(traces)].filter(([trace]) => trace?.type === 'trace' && trace.is_complete);
  }

  async #sessionSubjects(job: ScoringJob, id: string, judging: Judging): Promise<Subject[]> {
    const found = await findSessionSubject(this.#deps, job, id);
    if (!found?.isTooLong) return found ? [found.subject] : [];
    await judging.settle([found.subject], this.#deps.sessionScoreStore, TOO_LONG);
    return [];
  }
}

/** Judges until nothing changes meanwhile. */
async function untilStored(judging: Judging, { subjects: first, again }: Look, store: ScoreStore): Promise<void> {
  let subjects = first;
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    if (subjects.length === 0 || (await judging.judge(subjects, store))) return;
    subjects = await again();
  }
  throw new Error('records keep changing while they are judged');
}
