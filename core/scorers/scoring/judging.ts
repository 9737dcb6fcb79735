import { stackOf } from '../../kernel/failure.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import { PluginError, type ScoreItem, type ScoreOutcome, type ScoreValue } from '../../plugin-sdk/index.ts';
import type { Score } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import { CallRecorder } from '../evidence/call-recorder.ts';
import type { JudgeCallStore, ScoreCalls } from '../evidence/judge-call-store.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import { askScorer } from './asked-scorer.ts';
import type { BatchPace } from './batch-pace.ts';
import type { KitOf } from './scorer-kits.ts';
import { getOutputType, isAbout, type PreparedScorer, prepared, type ScoringTask } from './scoring-task.ts';
import { getScoredState, type Subject } from './subject.ts';
import type { SuspensionStore } from './suspension-store.ts';
import { TaskCancelled, TaskSuspended } from './task-watch.ts';
import { type OpenSubject, toScoreRecord } from './verdict.ts';

export interface JudgingDeps {
  readonly scorerKinds: ScorerKinds;
  readonly clock: Clock;
  readonly log: Log;
  readonly suspensionStore: Pick<SuspensionStore, 'list'>;
  readonly batchPace: BatchPace;
}

/** Work of one job, and its dependencies. */
export interface JudgingJob {
  readonly project_id: string;
  readonly run_id: string;
  /** All scorers of the run. */
  readonly tasks: readonly ScoringTask[];
  /** Those that this job is about; absent: all. */
  readonly own?: readonly ScoringTask[];
  readonly getKit: KitOf;
  /** Keeps the calls of models that scores are made of; absent: nobody will ask for them. */
  readonly judgeCallStore?: Pick<JudgeCallStore, 'keep'>;
  /** Whether what programs print is kept with their scores: where their author tries them. */
  readonly keepsPrinted?: boolean;
  readonly signal: AbortSignal;
  /** Of one task: it may be cancelled by itself. */
  signalOf?(task: ScoringTask): AbortSignal | undefined;
  /** When the job has had its time, by the clock: what is left is handed back. */
  readonly sliceEndsAt?: number;
}

/** By version of the scorer: with many scorers each would else look through the scores of all. */
type ScoresByVersion = ReadonlyMap<string, readonly Score[]>;

/** As many records as fill a call of a program. */
export const CODE_AT_ONCE = 500;
/** Answers of models are worth keeping soon. */
const MODEL_AT_ONCE = 32;

/** Judges subjects by all scorers of a run. */
export class Judging {
  readonly #deps: JudgingDeps;
  readonly #job: JudgingJob;
  /** Ids of the scorers of the run, by name. */
  readonly #ids: ReadonlyMap<string, string>;
  /** Tasks that wait for their provider, and what they said. */
  readonly #deferred = new Map<ScoringTask, Deferred>();
  #hasStored = false;

  constructor(deps: JudgingDeps, job: JudgingJob) {
    this.#deps = deps;
    this.#job = job;
    this.#ids = new Map(job.tasks.map(({ scorer }) => [scorer.name, scorer.id]));
  }

  get tasks(): readonly ScoringTask[] {
    return this.#job.own ?? this.#job.tasks;
  }

  get hasStored(): boolean {
    return this.#hasStored;
  }

  /** The first of the tasks that could not go on for want of their provider. */
  get deferred(): Deferred | undefined {
    return this.#deferred.values().next().value;
  }

  /**
   * Asks each scorer for what it has not judged, or has judged in another state. Returns whether everything said was
   * stored: if not, a subject has changed meanwhile, or is gone, and has to be looked at anew. A scorer that cannot judge
   * does not keep the others from it; the first error that may pass is thrown when all have had their turn. Tasks whose
   * provider is not to be asked now are left out, see `deferred`. Rejects with `Deferred` when the job has had its time.
   */
  async judge(subjects: readonly Subject[], store: ScoreStore): Promise<boolean> {
    const known = await this.#known(subjects, store);
    const failures: unknown[] = [];
    const heldUp = new Set<string>();
    let isAllStored = true;
    for (const task of this.tasks) {
      try {
        if (this.#deferred.has(task) || requiresAny(task, heldUp)) heldUp.add(task.scorer.name);
        else isAllStored = (await this.#run(task, subjects, known, store)) && isAllStored;
      } catch (error) {
        this.#job.signal.throwIfAborted();
        if (error instanceof SliceOver) throw error;
        heldUp.add(task.scorer.name);
        if (error instanceof Deferred) {
          this.#deferred.set(task, error);
          continue;
        }
        this.#deps.log.warn('a scorer failed and will be asked again', { ...toFacts(task), error: stackOf(error) });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return isAllStored;
  }

  /** Ends the wait for scores that will not come: each that is missing is written as the outcome. */
  async settle(subjects: readonly Subject[], store: ScoreStore, outcome: ScoreOutcome): Promise<void> {
    const known = await this.#known(subjects, store);
    for (const task of this.tasks) {
      const open = openFor(task, subjects, known, false).filter(({ replaces }) => replaces === undefined);
      await this.#store(
        task,
        open,
        open.map(() => outcome),
        store,
        'failed',
      );
    }
  }

  async #run(task: ScoringTask, subjects: readonly Subject[], known: ScoresByVersion, store: ScoreStore): Promise<boolean> {
    if (!subjects.some((subject) => isAbout(task, subject))) return true;
    this.#requireDependencies(task, subjects, known);
    let open = openFor(task, subjects, known, false);
    try {
      const scorer = prepared(this.#deps.scorerKinds, task);
      if (scorer.surroundings !== 'none') open = openFor(task, subjects, known, true);
      return await this.#ask(task, scorer, open, store);
    } catch (error) {
      this.#job.signal.throwIfAborted();
      const reason: unknown = this.#job.signalOf?.(task)?.reason;
      if (reason instanceof TaskCancelled) return true;
      const final = reason instanceof TaskSuspended || error instanceof TaskSuspended || isFinal(error);
      if (!final) throw error;
      const { message } = reason instanceof TaskSuspended ? reason : (error as Error);
      await this.#giveUpOn(task, await this.#stillOpen(open, task, store), store, message);
      return true;
    }
  }

  /** Defers to another job that judges the required scorers first: it is under way, or is repeated. */
  #requireDependencies(task: ScoringTask, subjects: readonly Subject[], known: ScoresByVersion): void {
    const own = new Set(this.tasks);
    for (const required of this.#job.tasks) {
      if (own.has(required) || !requiresAny(task, new Set([required.scorer.name]))) continue;
      const scored = new Set((known.get(required.version.id) ?? []).map(({ record_id }) => record_id));
      if (subjects.some((subject) => isAbout(required, subject) && !scored.has(subject.record.id)))
        throw new Error(`scorer "${required.scorer.name}", which is required, has not judged yet`);
    }
  }

  /** Without what was judged before the task came to its end. */
  async #stillOpen(open: readonly OpenSubject[], task: ScoringTask, store: ScoreStore): Promise<OpenSubject[]> {
    const known = await this.#known(
      open.map(({ subject }) => subject),
      store,
    );
    const judged = new Map((known.get(task.version.id) ?? []).map((one) => [one.record_id, one.judged]));
    return open.filter((one) => judged.get(one.subject.record.id) !== one.judged);
  }

  /** Of a scorer that cannot judge at all. */
  async #giveUpOn(task: ScoringTask, open: readonly OpenSubject[], store: ScoreStore, message: string): Promise<void> {
    this.#deps.log.warn('a scorer cannot judge', { ...toFacts(task), reason: message });
    const outcome = { status: 'failed', message } as const;
    await this.#store(
      task,
      open,
      open.map(() => outcome),
      store,
      'failed',
    );
  }

  async #ask(task: ScoringTask, scorer: PreparedScorer, open: readonly OpenSubject[], store: ScoreStore): Promise<boolean> {
    if (open.length === 0) return true;
    const { batchPace, clock } = this.#deps;
    const isCode = task.entry.model_type === 'code';
    let isAllStored = true;
    for (let at = 0; at < open.length; ) {
      if (at > 0 && clock().getTime() > (this.#job.sliceEndsAt ?? Number.POSITIVE_INFINITY)) throw new SliceOver();
      if (isCode) await this.#requireNotSuspended(task);
      const batch = open.slice(at, at + (isCode ? batchPace.sizeFor(task.version.id) : MODEL_AT_ONCE));
      const items = await this.#itemsFor(task, scorer, batch, store);
      const began = clock().getTime();
      const recorder = new CallRecorder(clock, items.length);
      const outcomes = await this.#scoreBatch(task, scorer, items, recorder, isCode && batch.length > 1);
      batchPace.note(task.version.id, batch.length, clock().getTime() - began);
      await this.#keepCalls(task, batch, recorder);
      const stored = await this.#store(task, batch, outcomes, store, 'error');
      isAllStored &&= stored === batch.length;
      at += batch.length;
    }
    return isAllStored;
  }

  /**
   * Ends with the signal, whether the plugin listens to it or not; what still goes on for the batch ends with it. One that is cut
   * off after its time ends the job's slice: else a slot would be held for as long as an author likes.
   */
  async #scoreBatch(
    task: ScoringTask,
    scorer: PreparedScorer,
    items: readonly ScoreItem[],
    recorder: CallRecorder,
    isCutOff: boolean,
  ): Promise<readonly ScoreOutcome[]> {
    const { batchPace } = this.#deps;
    const over = new AbortController();
    const limit = isCutOff ? AbortSignal.timeout(batchPace.limitMs) : over.signal;
    const own = this.#job.signalOf?.(task);
    const signal = AbortSignal.any([this.#job.signal, over.signal, limit, ...(own ? [own] : [])]);
    signal.throwIfAborted();
    try {
      const start = () => scorer.start(recorder.recording(this.#job.getKit(this.#toModelUse(task), signal)));
      const { calibration } = task.version;
      const asked = { output_type: getOutputType(task), calibration, log: this.#deps.log, facts: toFacts(task) };
      return await askScorer(start, { items, signal }, asked);
    } catch (error) {
      if (signal.reason !== limit.reason || !limit.aborted) throw error;
      batchPace.noteCut(task.version.id, items.length);
      throw new SliceOver();
    } finally {
      over.abort(new Error('the batch has ended'));
    }
  }

  /** Before the scores: calls without their score are of no harm, a score without its calls could not be explained. */
  async #keepCalls({ version }: ScoringTask, batch: readonly OpenSubject[], recorder: CallRecorder): Promise<void> {
    const { project_id, run_id, judgeCallStore } = this.#job;
    const kept_at = this.#deps.clock().toISOString();
    const all = batch.flatMap(({ subject: { record }, judged }, at): ScoreCalls[] => {
      const calls = recorder.callsOf(at);
      const of = record.type === 'session' ? 'session' : 'record';
      const key = { project_id, run_id, record_id: record.id, scorer_version_id: version.id, of } as const;
      return calls.length > 0 ? [{ ...key, judged, calls, kept_at }] : [];
    });
    if (all.length > 0) await judgeCallStore?.keep(all);
  }

  async #requireNotSuspended({ version }: ScoringTask): Promise<void> {
    const [suspension] = await this.#deps.suspensionStore.list(this.#job.project_id, [version.id]);
    if (suspension) throw new TaskSuspended(suspension.message);
  }

  async #itemsFor(
    { scorer: { required_scorers } }: ScoringTask,
    { surroundings, ground_truth }: PreparedScorer,
    batch: readonly OpenSubject[],
    store: ScoreStore,
  ): Promise<ScoreItem[]> {
    const names = required_scorers ?? [];
    const subjects = batch.map(({ subject }) => subject);
    const scores = names.length > 0 ? await this.#toScores(subjects, store) : [];
    const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
    return subjects.map((subject) => ({
      record: subject.text(),
      ...(surroundings === 'none' ? {} : { around: subject.surroundings.texts() }),
      ...(ground_truth && subject.ground_truth !== null ? { ground_truth: subject.ground_truth } : {}),
      ...(names.length > 0 ? { required: this.#toValues(names, byRecord.get(subject.record.id) ?? []) } : {}),
    }));
  }

  /** By the names of the scorers; the newest value, where there are several versions. */
  #toValues(names: readonly string[], scores: readonly Score[]): Record<string, ScoreValue | null> {
    const byScorer = new Map(scores.map((score) => [score.scorer_id, score]));
    const getNewest = (name: string): ScoreValue | null => {
      const newest = byScorer.get(this.#ids.get(name) ?? '');
      return newest?.status_type === 'success' ? (newest.value as ScoreValue | null) : null;
    };
    return Object.fromEntries(names.map((name) => [name, getNewest(name)]));
  }

  #toModelUse({ entry, version }: ScoringTask) {
    const { project_id, run_id } = this.#job;
    const whose = { user_id: entry.enabled_by ?? null, daily_budget: entry.daily_budget ?? null };
    return { project_id, run_id, scorer_id: entry.id, scorer_version_id: version.id, ...whose };
  }

  async #known(subjects: readonly Subject[], store: ScoreStore): Promise<ScoresByVersion> {
    return Map.groupBy(await this.#toScores(subjects, store), ({ scorer_version_id }) => scorer_version_id);
  }

  #toScores(subjects: readonly Subject[], store: ScoreStore): Promise<Score[]> {
    const { project_id, run_id } = this.#job;
    return store.list(
      project_id,
      run_id,
      subjects.map(({ record }) => record.id),
    );
  }

  async #store(
    task: ScoringTask,
    open: readonly OpenSubject[],
    outcomes: readonly ScoreOutcome[],
    store: ScoreStore,
    failure: 'error' | 'failed',
  ): Promise<number> {
    const { keepsPrinted } = this.#job;
    const how = { scored_at: this.#deps.clock().toISOString(), failure, keepsPrinted };
    const stored = await store.insert(open.map((one, at) => toScoreRecord(this.#job, task, one, outcomes[at], how)));
    this.#hasStored ||= stored > 0;
    return stored;
  }
}

const toFacts = ({ entry, version }: ScoringTask) => ({
  scorer_id: entry.id,
  scorer_version_id: version.id,
  kind: version.kind,
});
/** The job has had its time. */
class SliceOver extends Deferred<undefined> {
  constructor() {
    super(undefined, 0, 'the job has had its time');
  }
}

const isFinal = (error: unknown): boolean => error instanceof PluginError && !error.retryable;

const requiresAny = ({ scorer }: ScoringTask, names: ReadonlySet<string>): boolean =>
  scorer.required_scorers?.some((name) => names.has(name)) ?? false;

/** Lists the subjects of the task that it has not judged in this version, or in another state than they are in now. */
function openFor(task: ScoringTask, subjects: readonly Subject[], known: ScoresByVersion, looksAround: boolean): OpenSubject[] {
  const before = new Map((known.get(task.version.id) ?? []).map((score) => [score.record_id, score]));
  return subjects.flatMap((subject): OpenSubject[] => {
    if (!isAbout(task, subject)) return [];
    const judged = getScoredState(subject, looksAround);
    const score = before.get(subject.record.id);
    const isOpen = score === undefined || (score.judged !== null && score.judged !== judged);
    return isOpen ? [{ subject, judged, replaces: score?.judged ?? undefined }] : [];
  });
}
