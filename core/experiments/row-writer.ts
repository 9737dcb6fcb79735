import { AppError } from '../kernel/errors.ts';
import type { Explain } from '../kernel/explain.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { flattenTraces } from '../traces/ingest/flatten.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { RunRef } from './scorer-enabling.ts';

export interface RowWriterDeps {
  readonly traceStore: TraceStore;
  readonly runDirectory: RunDirectory;
  readonly explain: Explain;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Settings that change this often while one trace is written are being changed in a loop. */
const MAX_PLANS = 5;

/** Logs a whole trace to a run, and has it scored there. Rejects with AppError `not_found` when the run is gone. */
export async function writeTrace(deps: RowWriterDeps, { project_id, run_id }: RunRef, trace: JsonObject): Promise<void> {
  const { traceStore, runDirectory, explain, clock, newId } = deps;
  const to = { project_id, run_id, session_id: undefined, is_complete: true, now: clock().toISOString(), newId };
  const records = flattenTraces([trace], to, explain);
  for (let attempt = 0; attempt < MAX_PLANS; attempt += 1) {
    const run = await runDirectory.findRun(project_id, run_id, attempt > 0);
    if (!run) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    const score_trace_ids = run.has_scorers ? [records[0]!.id] : [];
    const batch = { project_id, run_id, settings_revision: run.settings_revision, records, new_parents: [], score_trace_ids };
    if ((await traceStore.write(batch)) === 'written') return;
  }
  throw new AppError('unavailable', 'run_busy', 'the settings of this run keep changing', { retryAfterSeconds: 1 });
}
