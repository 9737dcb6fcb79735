import { AppError } from '../../kernel/errors.ts';
import { requireRun } from '../../projects/known-run.ts';
import type { RunContext, RunDirectory } from '../../projects/run-context.ts';
import type { RecordBatch, TraceStore, WriteOutcome } from '../trace-store.ts';

export interface RunWriterDeps {
  readonly traceStore: TraceStore;
  readonly runDirectory: RunDirectory;
}

/** Records to be written to a run; which of its traces are to be scored is heeded where the run has scorers. */
export type PlannedBatch = Pick<RecordBatch, 'records'> &
  Partial<Pick<RecordBatch, 'new_parents' | 'score_trace_ids' | 'new_trace_ids'>>;

export interface Written {
  readonly run: RunContext;
  readonly outcome: Exclude<WriteOutcome, 'run_changed'>;
}

/** Settings that change this often while one batch is written are being changed in a loop. */
const MAX_PLANS = 5;

/** Writes records to runs under optimistic locking: what is written was planned for the settings that the run has. */
export class RunWriter {
  readonly #deps: RunWriterDeps;

  constructor(deps: RunWriterDeps) {
    this.#deps = deps;
  }

  /**
   * Plans a batch for the run as it is now, and again when its settings changed while the plan was being written. Returns the
   * run that it was written for. Rejects with AppError `run_not_found`, or `run_busy` (unavailable) when the
   * settings keep changing, and as `TraceStore.write` and `plan` do.
   */
  async write(
    project_id: string,
    run_id: string,
    plan: (run: RunContext) => PlannedBatch | Promise<PlannedBatch>,
  ): Promise<RunContext> {
    return (await this.writeWithOutcome(project_id, run_id, plan)).run;
  }

  /** As `write`, telling whether `new_trace_ids` were new. */
  async writeWithOutcome(
    project_id: string,
    run_id: string,
    plan: (run: RunContext) => PlannedBatch | Promise<PlannedBatch>,
  ): Promise<Written> {
    for (let attempt = 0; attempt < MAX_PLANS; attempt += 1) {
      const run = await requireRun(this.#deps.runDirectory, project_id, run_id, attempt > 0);
      const outcome = await this.#deps.traceStore.write(toBatch(run, await plan(run)));
      if (outcome !== 'run_changed') return { run, outcome };
    }
    throw new AppError('unavailable', 'run_busy', 'the settings of this run keep changing', { retryAfterSeconds: 1 });
  }
}

const toBatch = (
  { project_id, run_id, settings_revision, has_scorers }: RunContext,
  { records, new_parents = [], score_trace_ids = [], new_trace_ids = [] }: PlannedBatch,
): RecordBatch => ({
  project_id,
  run_id,
  settings_revision,
  records,
  new_parents,
  score_trace_ids: has_scorers ? score_trace_ids : [],
  new_trace_ids,
});
