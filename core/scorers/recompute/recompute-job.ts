import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import { RECOMPUTE, RecomputeRequest, type Rescoring, selectionOfTraces } from './recompute.ts';

export interface RecomputeJobDeps {
  readonly recordScan: RecordScan;
  readonly rescoring: Rescoring;
}

/** One job of the scoring queue each. */
const TRACES_AT_ONCE = 100;

/**
 * Hands traces over to their scorers again. Begun again it walks over all of them once more, and leaves alone what was
 * judged since the job was started.
 */
export class RecomputeJob implements JobHandler {
  readonly job_name = RECOMPUTE;
  readonly #deps: RecomputeJobDeps;

  constructor(deps: RecomputeJobDeps) {
    this.#deps = deps;
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const request = RecomputeRequest.parse(job.request_data);
    const [project_id, run_id] = [job.project_id!, job.run_id!];
    let records = 0;
    let scores_removed = 0;
    for await (const keys of this.#deps.recordScan.keys(selectionOfTraces(project_id, run_id, request), TRACES_AT_ONCE)) {
      signal.throwIfAborted();
      const ids = keys.map(({ id }) => id);
      scores_removed += await this.#deps.rescoring.rescore(project_id, run_id, ids, request.scorer_ids, job.created_at);
      records += ids.length;
      const steps_total = Math.max(job.steps_total, records);
      await context.report({ steps_completed: records, steps_total, message: `${records} of ${steps_total} traces handed over` });
    }
    return { records, scores_removed };
  }
}
