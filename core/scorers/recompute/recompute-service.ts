import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { AppError, type Issue } from '../../kernel/errors.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { type MetricSettings, NO_METRICS } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import type { RecordScan } from '../../traces/read/record-scan.ts';
import type { RecordSelection } from '../../traces/record-query.ts';
import type { TraceStore } from '../../traces/trace-store.ts';
import { RECOMPUTE, type RecomputeReply, type RecomputeRequest, selectionOfTraces } from './recompute.ts';
import { estimatedCost } from './recompute-cost.ts';

export interface RecomputeDeps {
  readonly recordScan: RecordScan;
  readonly traceStore: TraceStore;
  readonly scoreStore: ScoreStore;
  readonly jobs: Jobs;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** Judging traces again, after a scorer has changed or for those that were logged before it was enabled. */
export class RecomputeService {
  readonly #deps: RecomputeDeps;

  constructor(deps: RecomputeDeps) {
    this.#deps = deps;
  }

  /** Returns once the job is started that does it. */
  async recompute(caller: Caller, project_id: string, body: RecomputeRequest): Promise<RecomputeReply> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'set_metric');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const settings = (await this.#deps.metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
    refuseUnknown(settings, body.scorer_ids);
    const selection = selectionOfTraces(project_id, run_id, body);
    const records = await this.#deps.traceStore.count(selection);
    const estimated_cost = await estimatedCost(this.#deps, selection, settings, body.scorer_ids, records);
    const found = { records, estimated_cost, dry_run: body.dry_run };
    if (body.dry_run) return { message: `${records} traces would be scored again`, ...found, job_id: null };
    const job = await this.#start(caller, selection, body, records);
    return { message: `${records} traces will be scored again`, ...found, job_id: job.id };
  }

  #start(
    caller: Caller,
    { project_id, run_id }: RecordSelection,
    body: RecomputeRequest,
    steps_total: number,
  ): Promise<JobRecord> {
    const event = { action: 'metrics.recompute', object_kind: 'project', object_id: project_id };
    const details = { run_id, scorer_ids: body.scorer_ids.join(' ') };
    return this.#deps.transactions.run(async () => {
      await this.#deps.auditTrail.note(caller, { ...event, details });
      const asked = { job_name: RECOMPUTE, project_id, run_id, created_by: caller.user_id, steps_total };
      return this.#deps.jobs.start({ ...asked, request_data: JSON.parse(JSON.stringify(body)) });
    });
  }
}

function refuseUnknown({ scorers }: MetricSettings, scorer_ids: readonly string[]): void {
  const enabled = new Set(scorers.map(({ id }) => id));
  const issues: Issue[] = [];
  for (const [index, id] of scorer_ids.entries()) {
    if (enabled.has(id)) continue;
    const loc = ['body', 'scorer_ids', index];
    issues.push({ loc, msg: 'the scorer is not enabled in this run', type: 'scorer_not_enabled', input: id });
  }
  if (issues.length > 0) throw new AppError('invalid', 'scorer_not_enabled', 'scorers are not enabled in this run', { issues });
}
