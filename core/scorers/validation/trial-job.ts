import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { RunWriter } from '../../traces/ingest/run-writer.ts';
import type { ScorerStore } from '../scorer-store.ts';
import type { ScorerKits } from '../scoring/scorer-kits.ts';
import { tasksFor } from './candidate-task.ts';
import { computePlan, getValidationId, type Plan, toCandidate, validationNotFound } from './plan.ts';
import { Tally } from './tally.ts';
import { type TrialRun, type TrialTrace, tracesOfRecords, tracesOfRows } from './trial-input.ts';
import { TrialJudge, type TrialJudgeDeps } from './trial-judge.ts';
import { sessionsOfRecords } from './trial-sessions.ts';
import type { Evidence, Validation } from './validation.ts';
import type { ValidationStore } from './validation-store.ts';

export const SCORER_TRIAL = 'scorer_trial';

export interface TrialDeps extends TrialJudgeDeps {
  readonly validationStore: ValidationStore;
  readonly scorerStore: ScorerStore;
  readonly scorerKits: ScorerKits;
  readonly runDirectory: RunDirectory;
}

interface Trial {
  readonly validation: Validation;
  readonly plan: Plan;
  readonly run: TrialRun;
  readonly judge: TrialJudge;
  readonly tally: Tally;
}

/** Beyond this a trial would copy rather than try. */
const MAX_RECORDS = 50_000;

/**
 * Runs a candidate over copies of records, or over dataset rows, in a run of its own. A second attempt finds the copies and the
 * verdicts that are there already.
 */
export class TrialJob implements JobHandler {
  readonly job_name = SCORER_TRIAL;
  readonly #deps: TrialDeps;
  readonly #writer: RunWriter;

  constructor(deps: TrialDeps) {
    this.#deps = deps;
    this.#writer = new RunWriter(deps);
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const begun = this.#deps.clock().getTime();
    const trial = await this.#trial(job, signal);
    const { validation, plan, tally } = trial;
    const steps_total = plan.on.source === 'samples' ? 0 : plan.on.limit;
    for await (const records of this.#judged(trial)) {
      signal.throwIfAborted();
      if (records > MAX_RECORDS) throw tooLarge();
      const done = tally.records;
      await context.report({ steps_completed: done, steps_total, message: `${done} records were scored` });
    }
    const finished_at = this.#deps.clock().toISOString();
    const evidence = tally.evidence({
      verdict: tally.failed > 0 ? 'invalid' : 'valid',
      definition_hash: validation.definition_hash,
      elapsed_ms: this.#deps.clock().getTime() - begun,
      finished_at,
    });
    await this.#deps.validationStore.finish(validation.id, evidence);
    return computeCounts(evidence);
  }

  async #trial(job: JobRecord, signal: AbortSignal): Promise<Trial> {
    const { validationStore, scorerKits, clock, sha256 } = this.#deps;
    const validation = await validationStore.find(getValidationId(job));
    if (!validation?.project_id || !validation.run_id) throw validationNotFound(getValidationId(job));
    const { project_id, run_id, created_at: started_at } = validation;
    const run = { project_id, run_id, started_at };
    const plan = computePlan(validation);
    const tally = new Tally(sha256);
    const tasks = await tasksFor(this.#deps, toCandidate(validation), clock().toISOString());
    const source_run_id = plan.on.source === 'records' ? plan.on.run_id : undefined;
    const judging = { project_id, run_id, tasks, getKit: scorerKits.forJob(), keepsPrinted: true, signal };
    const judge = new TrialJudge(this.#deps, { candidate_id: validation.id, run, tally, source_run_id, job: judging });
    return { validation, plan, run, judge, tally };
  }

  /** Writes and judges the records of a trial, some at a time, and reports how many were written so far. */
  async *#judged({ plan, run, judge, tally }: Trial): AsyncGenerator<number> {
    let written = 0;
    const write = async (traces: readonly TrialTrace[]): Promise<number> => {
      written += traces.reduce((sum, { records }) => sum + records.length, 0);
      if (written <= MAX_RECORDS)
        await Promise.all(traces.map(({ records }) => this.#writer.write(run.project_id, run.run_id, () => ({ records }))));
      return written;
    };
    for await (const traces of this.#traces(run, plan)) {
      if ((await write(traces)) <= MAX_RECORDS) await judge.judgeTraces(traces);
      yield written;
    }
    const { on, scoreable_node_types: types } = plan;
    if (on.source !== 'records' || !getRecordTypes(types).has('session')) return;
    for await (const session of sessionsOfRecords(this.#deps, run, { ...on, limit: on.limit - tally.records }, types)) {
      if ((await write(session.traces)) <= MAX_RECORDS) await judge.judgeSession(session);
      yield written;
    }
  }

  #traces(run: TrialRun, { on, scoreable_node_types }: Plan): AsyncGenerator<TrialTrace[]> {
    if (on.source === 'rows') return tracesOfRows(this.#deps, run, on, scoreable_node_types);
    if (on.source === 'records') return tracesOfRecords(this.#deps, run, on, scoreable_node_types);
    throw validationNotFound(run.run_id);
  }
}

const computeCounts = ({ verdict, records, succeeded, failed, not_applicable }: Evidence): JsonValue => ({
  verdict,
  records,
  succeeded,
  failed,
  not_applicable,
});

const tooLarge = (): AppError =>
  new AppError('invalid', 'trial_too_large', `the traces of these records have more than ${MAX_RECORDS} records in all`);
