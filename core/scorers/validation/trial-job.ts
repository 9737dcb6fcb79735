import type { JobRecord } from '../../jobs/job.ts';
import type { JobDesk, JobHandler } from '../../jobs/job-handler.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { RunDirectory } from '../../traces/run-context.ts';
import { Judging, type JudgingDeps } from '../judging.ts';
import type { NewScore, Score } from '../score.ts';
import type { ScoreStore } from '../score-store.ts';
import type { ScorerKits } from '../scorer-kits.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { ScoringTask } from '../scoring-task.ts';
import { subjectsOfTrace } from '../subject.ts';
import { tasksFor } from './candidate-task.ts';
import { candidateOf, type Plan, planOf, validationIdOf, validationNotFound } from './plan.ts';
import { Tally } from './tally.ts';
import { type TrialInputDeps, type TrialRun, type TrialTrace, tracesOfRecords, tracesOfRows } from './trial-input.ts';
import type { Evidence, Validation } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export const SCORER_TRIAL = 'scorer_trial';

export interface TrialDeps extends TrialInputDeps, JudgingDeps {
  readonly validationStore: ValidationStore;
  readonly scorerStore: ScorerStore;
  readonly scoreStore: ScoreStore;
  readonly scorerKits: ScorerKits;
  readonly runDirectory: RunDirectory;
}

interface Trial {
  readonly validation: Validation;
  readonly run: TrialRun;
  readonly tasks: readonly ScoringTask[];
  readonly judging: Judging;
  readonly tally: Tally;
}

/** Beyond this a trial would copy rather than try. */
const MAX_RECORDS = 50_000;
const MAX_PLANS = 5;

/**
 * Runs a candidate over copies of records, or over dataset rows, in a run of its own. A second beginning finds the copies and the
 * verdicts that are there already.
 */
export class TrialJob implements JobHandler {
  readonly job_name = SCORER_TRIAL;
  readonly #deps: TrialDeps;

  constructor(deps: TrialDeps) {
    this.#deps = deps;
  }

  async run(job: JobRecord, desk: JobDesk, signal: AbortSignal): Promise<JsonValue> {
    const begun = this.#deps.clock().getTime();
    const { validation, run, ...trial } = await this.#trial(job, signal);
    const plan = planOf(validation);
    const steps_total = plan.on.source === 'samples' ? 0 : plan.on.limit;
    let [done, copied] = [0, 0];
    for await (const traces of this.#traces(run, plan)) {
      signal.throwIfAborted();
      copied += traces.reduce((sum, { records }) => sum + records.length, 0);
      if (copied > MAX_RECORDS) throw tooLarge();
      await this.#judge({ validation, run, ...trial }, plan, traces);
      done += traces.reduce((sum, { judged }) => sum + judged.size, 0);
      await desk.report({ steps_completed: done, steps_total, message: `${done} records were scored` });
    }
    const finished_at = this.#deps.clock().toISOString();
    const evidence = trial.tally.evidence({
      verdict: trial.tally.failed > 0 ? 'invalid' : 'valid',
      definition_hash: validation.definition_hash,
      elapsed_ms: this.#deps.clock().getTime() - begun,
      finished_at,
    });
    await this.#deps.validationStore.finish(validation.id, evidence);
    return countsOf(evidence);
  }

  async #trial(job: JobRecord, signal: AbortSignal): Promise<Trial> {
    const { validationStore, scorerStore, scorerKits, clock, sha256 } = this.#deps;
    const validation = await validationStore.find(validationIdOf(job));
    if (!validation?.project_id || !validation.run_id) throw validationNotFound(validationIdOf(job));
    const { project_id, run_id, created_at: started_at } = validation;
    const run = { project_id, run_id, started_at };
    const tasks = await tasksFor(scorerStore, candidateOf(validation), clock().toISOString());
    const judging = new Judging(this.#deps, { project_id, run_id, tasks, kitOf: scorerKits.forJob(), signal });
    return { validation, run, tasks, judging, tally: new Tally(sha256) };
  }

  #traces(run: TrialRun, { on, scoreable_node_types }: Plan): AsyncGenerator<TrialTrace[]> {
    if (on.source === 'rows') return tracesOfRows(this.#deps, run, on, scoreable_node_types);
    if (on.source === 'records') return tracesOfRecords(this.#deps, run, on, scoreable_node_types);
    throw validationNotFound(run.run_id);
  }

  async #judge({ validation, run, tasks, judging, tally }: Trial, { on }: Plan, traces: readonly TrialTrace[]): Promise<void> {
    const { scoreStore, sha256 } = this.#deps;
    await Promise.all(traces.map(({ records }) => this.#write(run, records)));
    if (on.source === 'records') await this.#takeAlong(run, on.run_id, tasks, traces);
    const stored = await this.#stored(run, traces);
    const subjects = traces.flatMap(({ records, judged }) => {
      const ids = new Set(records.map(({ id }) => id));
      const own = stored.filter(({ id }) => ids.has(id));
      return subjectsOfTrace(own, sha256).filter(({ record }) => judged.has(record.id));
    });
    await judging.judge(subjects, scoreStore);
    const ids = subjects.map(({ record }) => record.id);
    const scores = await scoreStore.list(run.project_id, run.run_id, ids);
    const own = new Map(
      scores.filter((score) => score.scorer_version_id === validation.id).map((score) => [score.record_id, score]),
    );
    for (const subject of subjects) {
      const { id, type } = subject.record;
      const score = own.get(id);
      tally.add(subject.text(), statusOf(score), {
        node_type: type,
        record_id: id,
        score: score?.value ?? null,
        message: score?.message ?? null,
      });
    }
  }

  async #write({ project_id, run_id }: TrialRun, records: readonly LogRecord[]): Promise<void> {
    for (let attempt = 0; attempt < MAX_PLANS; attempt += 1) {
      const context = await this.#deps.runDirectory.findRun(project_id, run_id, attempt > 0);
      if (!context) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
      const { settings_revision } = context;
      const batch = { project_id, run_id, settings_revision, records, new_parents: [], score_trace_ids: [] };
      if ((await this.#deps.traceStore.write(batch)) === 'written') return;
    }
    throw new AppError('unavailable', 'run_busy', 'the settings of this run keep changing', { retryAfterSeconds: 1 });
  }

  #stored({ project_id, run_id }: TrialRun, traces: readonly TrialTrace[]) {
    return this.#deps.traceStore.listTraces(
      project_id,
      run_id,
      traces.map(({ records }) => records[0]!.trace_id),
    );
  }

  /** What the required scorers have said of the originals holds for the copies: asking them again could cost money. */
  async #takeAlong(
    run: TrialRun,
    source_run_id: string,
    tasks: readonly ScoringTask[],
    traces: readonly TrialTrace[],
  ): Promise<void> {
    const required = new Set(tasks.slice(0, -1).map(({ version }) => version.id));
    if (required.size === 0) return;
    const { scoreStore } = this.#deps;
    const copies = new Map(traces.flatMap(({ sources }) => [...sources].map(([copy, original]) => [original, copy] as const)));
    const scores = await scoreStore.list(run.project_id, source_run_id, [...copies.keys()]);
    const known = scores.filter(
      ({ scorer_version_id, status_type }) => required.has(scorer_version_id) && status_type === 'success',
    );
    await scoreStore.insert(
      known.map(({ times_scored: _times, ...score }): NewScore => {
        return { ...score, run_id: run.run_id, record_id: copies.get(score.record_id)!, judged: null };
      }),
    );
  }
}

function statusOf(score: Score | undefined): 'success' | 'failed' | 'not_applicable' {
  if (score?.status_type === 'success' || score?.status_type === 'not_applicable') return score.status_type;
  return 'failed';
}

const countsOf = ({ verdict, records, succeeded, failed, not_applicable }: Evidence): JsonValue => ({
  verdict,
  records,
  succeeded,
  failed,
  not_applicable,
});

const tooLarge = (): AppError =>
  new AppError('invalid', 'trial_too_large', `the traces of these records have more than ${MAX_RECORDS} records in all`);
