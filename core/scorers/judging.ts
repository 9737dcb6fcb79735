import { stackOf } from '../kernel/failure.ts';
import type { PluginRegistry } from '../kernel/plugin-registry.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import {
  PluginError,
  type ScoreItem,
  type ScoreOutcome,
  type Scorer,
  type ScorerKindPlugin,
  type ScoreValue,
} from '../plugin-sdk/index.ts';
import { askScorer } from './asked-scorer.ts';
import type { Score } from './score.ts';
import type { ScoreStore } from './score-store.ts';
import type { KitOf } from './scorer-kits.ts';
import { isAbout, outputTypeOf, type PreparedScorer, prepared, type ScoringTask } from './scoring-task.ts';
import { type Subject, stateOf } from './subject.ts';
import { type OpenSubject, scoreOf } from './verdict.ts';

export interface JudgingDeps {
  readonly scorerKinds: PluginRegistry<ScorerKindPlugin>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What one job has to do, and with what. */
export interface JudgingJob {
  readonly project_id: string;
  readonly run_id: string;
  readonly tasks: readonly ScoringTask[];
  readonly kitOf: KitOf;
  readonly signal: AbortSignal;
}

/** By version of the scorer: with many scorers each would else look through the scores of all. */
type ScoresByVersion = ReadonlyMap<string, readonly Score[]>;

/** Starting a program costs more than most of its scores. Few enough that a stop does not wait long. */
export const CODE_AT_ONCE = 500;
/** Answers of models are worth keeping soon. */
const MODEL_AT_ONCE = 32;

/** Judges subjects by all scorers of a run. */
export class Judging {
  readonly #deps: JudgingDeps;
  readonly #job: JudgingJob;
  /** Ids of the scorers of the run, by name. */
  readonly #ids: ReadonlyMap<string, string>;

  constructor(deps: JudgingDeps, job: JudgingJob) {
    this.#deps = deps;
    this.#job = job;
    this.#ids = new Map(job.tasks.map(({ scorer }) => [scorer.name, scorer.id]));
  }

  get tasks(): readonly ScoringTask[] {
    return this.#job.tasks;
  }

  /**
   * Asks each scorer for what it has not judged, or has judged in another state. Answers whether everything said was
   * stored: if not, a subject has changed meanwhile, or is gone, and has to be looked at anew. A scorer that cannot judge
   * does not keep the others from it; the first error that may pass is thrown when all have had their turn.
   */
  async judge(subjects: readonly Subject[], store: ScoreStore): Promise<boolean> {
    const known = await this.#known(subjects, store);
    const failures: unknown[] = [];
    const heldUp = new Set<string>();
    let isAllStored = true;
    for (const task of this.#job.tasks) {
      try {
        if (task.scorer.required_scorers?.some((name) => heldUp.has(name))) heldUp.add(task.scorer.name);
        else isAllStored = (await this.#run(task, subjects, known, store)) && isAllStored;
      } catch (error) {
        this.#job.signal.throwIfAborted();
        heldUp.add(task.scorer.name);
        this.#deps.log.warn('a scorer failed and will be asked again', { ...factsOf(task), error: stackOf(error) });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return isAllStored;
  }

  /** Ends the wait for scores that will not come: each that is missing is written as the outcome. */
  async settle(subjects: readonly Subject[], store: ScoreStore, outcome: ScoreOutcome): Promise<void> {
    const known = await this.#known(subjects, store);
    for (const task of this.#job.tasks) {
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
    let open = openFor(task, subjects, known, false);
    try {
      const scorer = prepared(this.#deps.scorerKinds, task);
      if (scorer.surroundings !== 'none') open = openFor(task, subjects, known, true);
      return await this.#ask(task, scorer, open, store);
    } catch (error) {
      this.#job.signal.throwIfAborted();
      if (!(error instanceof PluginError) || error.retryable) throw error;
      await this.#giveUpOn(task, open, store, error.message);
      return true;
    }
  }

  /** Of a scorer that cannot judge at all. */
  async #giveUpOn(task: ScoringTask, open: readonly OpenSubject[], store: ScoreStore, message: string): Promise<void> {
    this.#deps.log.warn('a scorer cannot judge', { ...factsOf(task), reason: message });
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
    const { signal, kitOf } = this.#job;
    let started: Scorer | undefined;
    const running = (): Scorer => (started ??= scorer.start(kitOf(this.#useOf(task))));
    const asked = { output_type: outputTypeOf(task), log: this.#deps.log, facts: factsOf(task) };
    const size = task.entry.model_type === 'code' ? CODE_AT_ONCE : MODEL_AT_ONCE;
    let isAllStored = true;
    for (let at = 0; at < open.length; at += size) {
      signal.throwIfAborted();
      const batch = open.slice(at, at + size);
      const items = await this.#itemsFor(task, scorer, batch, store);
      const outcomes = await askScorer(running, { items, signal }, asked);
      const stored = await this.#store(task, batch, outcomes, store, 'error');
      isAllStored &&= stored === batch.length;
    }
    return isAllStored;
  }

  async #itemsFor(
    { scorer: { required_scorers } }: ScoringTask,
    { surroundings, ground_truth }: PreparedScorer,
    batch: readonly OpenSubject[],
    store: ScoreStore,
  ): Promise<ScoreItem[]> {
    const names = required_scorers ?? [];
    const subjects = batch.map(({ subject }) => subject);
    const scores = names.length > 0 ? await this.#scoresOf(subjects, store) : [];
    const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
    return subjects.map((subject) => ({
      record: subject.text(),
      ...(surroundings === 'none' ? {} : { around: subject.surroundings.texts() }),
      ...(ground_truth && subject.ground_truth !== null ? { ground_truth: subject.ground_truth } : {}),
      ...(names.length > 0 ? { required: this.#valuesOf(names, byRecord.get(subject.record.id) ?? []) } : {}),
    }));
  }

  /** By the names of the scorers; the newest value, where there are several versions. */
  #valuesOf(names: readonly string[], scores: readonly Score[]): Record<string, ScoreValue | null> {
    const byScorer = new Map(scores.map((score) => [score.scorer_id, score]));
    const newestOf = (name: string): ScoreValue | null => {
      const newest = byScorer.get(this.#ids.get(name) ?? '');
      return newest?.status_type === 'success' ? (newest.value as ScoreValue | null) : null;
    };
    return Object.fromEntries(names.map((name) => [name, newestOf(name)]));
  }

  #useOf({ entry, version }: ScoringTask) {
    const { project_id, run_id } = this.#job;
    const whose = { user_id: entry.enabled_by ?? null, daily_budget: entry.daily_budget ?? null };
    return { project_id, run_id, scorer_id: entry.id, scorer_version_id: version.id, ...whose };
  }

  async #known(subjects: readonly Subject[], store: ScoreStore): Promise<ScoresByVersion> {
    return Map.groupBy(await this.#scoresOf(subjects, store), ({ scorer_version_id }) => scorer_version_id);
  }

  #scoresOf(subjects: readonly Subject[], store: ScoreStore): Promise<Score[]> {
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
    const how = { scored_at: this.#deps.clock().toISOString(), failure };
    return store.insert(open.map((one, at) => scoreOf(this.#job, task, one, outcomes[at], how)));
  }
}

const factsOf = ({ entry, version }: ScoringTask) => ({
  scorer_id: entry.id,
  scorer_version_id: version.id,
  kind: version.kind,
});

/** What the task is about and has not judged in this version, or in another state than it is in now. */
function openFor(task: ScoringTask, subjects: readonly Subject[], known: ScoresByVersion, looksAround: boolean): OpenSubject[] {
  const before = new Map((known.get(task.version.id) ?? []).map((score) => [score.record_id, score]));
  return subjects.flatMap((subject): OpenSubject[] => {
    if (!isAbout(task, subject)) return [];
    const judged = stateOf(subject, looksAround);
    const score = before.get(subject.record.id);
    const isOpen = score === undefined || (score.judged !== null && score.judged !== judged);
    return isOpen ? [{ subject, judged, replaces: score?.judged ?? undefined }] : [];
  });
}
