import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import type { RecordSelection } from '../record-query.ts';
import type { TraceStore } from '../trace-store.ts';
import { COST_RECOMPUTE, type CostRecomputeReply, type CostRecomputeRequest, selectTraces } from './cost-recompute.ts';

export interface CostRecomputeDeps {
  readonly traceStore: Pick<TraceStore, 'count'>;
  readonly jobs: Jobs;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** Pricing calls that are stored, after prices were set or changed. */
export class CostRecomputeService {
  readonly #deps: CostRecomputeDeps;

  constructor(deps: CostRecomputeDeps) {
    this.#deps = deps;
  }

  /** Returns once the job is started that does it; of the same request twice at once there is one job. Who may set prices of the project may do it. */
  async recompute(caller: Caller, project_id: string, body: CostRecomputeRequest): Promise<CostRecomputeReply> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'update');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const selection = selectTraces(project_id, run_id, body);
    const records = await this.#deps.traceStore.count(selection);
    const found = { records, dry_run: body.dry_run };
    if (body.dry_run) return { message: `calls of ${records} traces would be priced again`, ...found, job_id: null };
    const job = await this.#start(caller, selection, body, records);
    return { message: `calls of ${records} traces will be priced again`, ...found, job_id: job.id };
  }

  #start(
    caller: Caller,
    { project_id, run_id }: RecordSelection,
    body: CostRecomputeRequest,
    steps_total: number,
  ): Promise<JobRecord> {
    const event = { action: 'costs.recompute', object_kind: 'project', object_id: project_id, details: { run_id } };
    return this.#deps.transactions.run(async () => {
      await this.#deps.auditTrail.note(caller, event);
      const asked = { job_name: COST_RECOMPUTE, project_id, run_id, created_by: caller.user_id, steps_total };
      return this.#deps.jobs.startOnce({ ...asked, request_data: JSON.parse(JSON.stringify(body)) });
    });
  }
}
