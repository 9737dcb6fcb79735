import type { Explain } from '../kernel/explain.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import { completedTraces, type PriceLookup } from '../traces/ingest/computed-metrics.ts';
import { flattenTraces } from '../traces/ingest/flatten.ts';
import { RunWriter, type RunWriterDeps } from '../traces/ingest/run-writer.ts';
import type { RunRef } from './scorer-enabling.ts';

export interface RowWriterDeps extends RunWriterDeps {
  readonly explain: Explain;
  readonly priceLookup: PriceLookup;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Logs a whole trace to a run, and has it scored there. Rejects with AppError `run_not_found` when the run is gone. */
export async function writeTrace(deps: RowWriterDeps, { project_id, run_id }: RunRef, trace: JsonObject): Promise<void> {
  const { explain, priceLookup, clock, newId } = deps;
  const to = { project_id, run_id, session_id: undefined, is_complete: true, now: clock().toISOString(), newId };
  const records = completedTraces(flattenTraces([trace], to, explain), await priceLookup.pricesFor(project_id));
  await new RunWriter(deps).write(project_id, run_id, () => ({ records, score_trace_ids: [records[0]!.id] }));
}
