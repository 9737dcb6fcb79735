import type { AuditTrail } from '../access/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Transactions } from '../kernel/ports.ts';
import type { MetricSettingsStore } from '../scorers/metric-settings-store.ts';
import { knownRun } from './known-run.ts';
import type { RecomputeRequest, Rescoring } from './recompute.ts';
import { conditionOf, type RecordSelection } from './record-query.ts';
import type { RecordScan } from './record-scan.ts';
import type { RunDirectory } from './run-context.ts';
import type { TraceStore } from './trace-store.ts';

export interface RecomputeDeps {
  readonly recordScan: RecordScan;
  readonly traceStore: TraceStore;
  readonly rescoring: Rescoring;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** One job each. */
const TRACES_AT_ONCE = 100;

/** Judging traces again, after a scorer has changed or for those that were logged before it was enabled. */
export class RecomputeService {
  readonly #deps: RecomputeDeps;

  constructor(deps: RecomputeDeps) {
    this.#deps = deps;
  }

  /** What was done stays done when this fails on the way; asking again goes over it once more and on from there. */
  async recompute(caller: Caller, project_id: string, body: RecomputeRequest) {
    await this.#deps.authorizer.demand(caller, 'project', project_id, 'set_metric');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    await this.#refuseUnknown(project_id, run_id, body.scorer_ids);
    const selection: RecordSelection = { project_id, run_id, level: 'trace', where: conditionOf(body) };
    if (body.dry_run) {
      const records = await this.#deps.traceStore.count(selection);
      return { message: `${records} traces would be scored again`, records, scores_removed: 0, dry_run: true };
    }
    await this.#note(caller, selection, body.scorer_ids);
    let records = 0;
    let scores_removed = 0;
    for await (const keys of this.#deps.recordScan.keys(selection, TRACES_AT_ONCE)) {
      const ids = keys.map(({ id }) => id);
      scores_removed += await this.#deps.rescoring.rescore(project_id, run_id, ids, body.scorer_ids);
      records += ids.length;
    }
    return { message: `${records} traces will be scored again`, records, scores_removed, dry_run: false };
  }

  async #refuseUnknown(project_id: string, run_id: string, scorer_ids: readonly string[]): Promise<void> {
    const settings = await this.#deps.metricSettingsStore.find(project_id, run_id);
    const enabled = new Set(settings?.scorers.map(({ id }) => id));
    const issues: Issue[] = [];
    for (const [index, id] of scorer_ids.entries()) {
      if (enabled.has(id)) continue;
      const loc = ['body', 'scorer_ids', index];
      issues.push({ loc, msg: 'the scorer is not enabled in this run', type: 'scorer_not_enabled', input: id });
    }
    if (issues.length > 0) throw new AppError('invalid', 'scorer_not_enabled', 'scorers are not enabled in this run', { issues });
  }

  #note(caller: Caller, { project_id, run_id }: RecordSelection, scorer_ids: readonly string[]): Promise<void> {
    const event = { action: 'metrics.recompute', object_kind: 'project', object_id: project_id };
    const details = { run_id, scorer_ids: scorer_ids.join(' ') };
    return this.#deps.transactions.run(() => this.#deps.auditTrail.note(caller, { ...event, details }));
  }
}
