import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { datasetNotFound } from '../../datasets/dataset.ts';
import type { DatasetContentStore } from '../../datasets/dataset-content-store.ts';
import { hasEnded, type JobRecord } from '../../jobs/job.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { AppError } from '../../kernel/errors.ts';
import type { NewId, Transactions } from '../../kernel/ports.ts';
import type { BudgetCheck } from '../../models/budgets/budget-check.ts';
import { type ScorerRecord, scorerNotFound } from '../../scorers/scorer.ts';
import type { ScorerStore } from '../../scorers/scorer-store.ts';
import { asJson } from '../../scorers/validation/plan.ts';
import { type ScorerWithVersion, scorerWithVersion } from '../../scorers/versions/version-lookup.ts';
import { AuditForecast, type AuditForecastDeps, getFamily, requireAffordable } from './audit-forecast.ts';
import type { AuditScope } from './audit-plan.ts';
import type { AuditCase } from './audit-texts.ts';
import { AuditedJudge, type AuditedJudgeDeps } from './audited-judge.ts';
import { BUILT_IN_CASES } from './built-in-cases.ts';
import { listDatasetCases } from './dataset-cases.ts';
import type { JudgeAudit, JudgeAuditPlan, JudgeAuditRequest, JudgeAuditStarted, StoredAudit } from './judge-audit.ts';
import { JUDGE_AUDIT } from './judge-audit-job.ts';
import type { JudgeAuditStore } from './judge-audit-store.ts';
import { MIN_PAIRS } from './judge-probes.ts';
import { PROBES } from './probe.ts';

export interface JudgeAuditServiceDeps extends AuditedJudgeDeps, AuditForecastDeps {
  readonly judgeAuditStore: JudgeAuditStore;
  readonly scorerStore: ScorerStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly jobs: Jobs;
  readonly spendingBudgets: BudgetCheck;
  readonly jobStore: JobStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly newId: NewId;
}

interface Planned {
  readonly plan: JudgeAuditPlan;
  readonly node_type: string;
}

interface TextsFound extends Pick<JudgeAuditPlan, 'dataset'> {
  readonly cases: readonly AuditCase[];
}

/** Testing judges for bias: who may change a scorer has it tested, by integrations of their own; everyone reads the reports. */
export class JudgeAuditService {
  readonly #deps: JudgeAuditServiceDeps;
  readonly #forecast: AuditForecast;

  constructor(deps: JudgeAuditServiceDeps) {
    this.#deps = deps;
    this.#forecast = new AuditForecast(deps);
  }

  /**
   * Plans the audit and, unless that was all that was asked for, starts it. Rejects with AppError `invalid` where the version cannot be audited,
   * or costs too much, and with `conflict` where it is being audited.
   */
  async start(caller: Caller, scorer_id: string, request: JudgeAuditRequest): Promise<JudgeAuditStarted> {
    const own = await this.#own(caller, scorer_id);
    const found = await scorerWithVersion(this.#deps.scorerStore, own.id, request.version ?? undefined);
    const { plan, node_type } = await this.#plan(caller, found, request);
    requireAffordable(plan);
    if (request.dry_run) return { plan, audit: null };
    await this.#deps.spendingBudgets.requireLeftToBegin(null);
    await this.#endForsaken(found);
    const audit = await this.#begin(caller, found, plan, node_type);
    return { plan, audit: toView(audit, undefined) };
  }

  /** Newest first; of one version, where it is named, else of all. */
  async list(_caller: Caller, scorer_id: string, number?: number): Promise<JudgeAudit[]> {
    const { judgeAuditStore, scorerStore } = this.#deps;
    if (!(await scorerStore.find(scorer_id))) throw scorerNotFound(scorer_id);
    const version = number === undefined ? undefined : (await scorerWithVersion(scorerStore, scorer_id, number)).version;
    const audits = await judgeAuditStore.list(scorer_id, version?.id);
    return Promise.all(audits.map((audit) => this.#view(audit)));
  }

  async get(_caller: Caller, scorer_id: string, audit_id: string): Promise<JudgeAudit> {
    return this.#view(await this.#find(scorer_id, audit_id));
  }

  /** Ends an audit that is running; of one that has ended nothing changes. Questions that are asked at this moment are still paid for. */
  async cancel(caller: Caller, scorer_id: string, audit_id: string): Promise<JudgeAudit> {
    await this.#own(caller, scorer_id);
    const audit = await this.#find(scorer_id, audit_id);
    const finished_at = this.#deps.clock().toISOString();
    const why = { status: 'cancelled', message: 'cancelled' } as const;
    await this.#deps.transactions.run(async () => {
      if (!(await this.#deps.judgeAuditStore.end(audit.id, { ...why, report: null, finished_at }))) return;
      await this.#deps.jobStore.end(audit.id, { status: why.status, error_message: why.message }, finished_at);
      await this.#note(caller, 'judge_audit.cancel', audit);
    });
    return this.get(caller, scorer_id, audit_id);
  }

  async #plan(caller: Caller, { scorer, version }: ScorerWithVersion, request: JudgeAuditRequest): Promise<Planned> {
    const judge = new AuditedJudge(this.#deps, scorer, version);
    const { node_type, place } = await this.#forecast.findTarget(judge, caller.user_id);
    const { dataset, cases } = await this.#texts(caller, request);
    const wanted = new Set(request.probes ?? PROBES);
    const probes = PROBES.filter((probe) => wanted.has(probe));
    const scope: AuditScope = { cases, probes, scale: judge.scale, place, family: undefined };
    const costs = await this.#forecast.estimate(judge, caller.user_id, scope, node_type);
    const model_family = request.model_family ?? getFamily(costs.models) ?? null;
    const { output_type } = judge.scale;
    const plan = {
      probes,
      dataset,
      texts: cases.length,
      output_type,
      place,
      model_family,
      ...costs,
      max_cost: request.max_cost ?? null,
    };
    return { plan, node_type };
  }

  async #texts(caller: Caller, { dataset_id }: JudgeAuditRequest): Promise<TextsFound> {
    if (!dataset_id) return { dataset: null, cases: BUILT_IN_CASES };
    const { datasetContentStore, authorizer } = this.#deps;
    await authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const version = await datasetContentStore.findVersion(dataset_id);
    if (!version) throw datasetNotFound(dataset_id);
    const cases = await listDatasetCases(datasetContentStore, dataset_id, version.version_index);
    if (cases.length >= MIN_PAIRS) return { dataset: { id: dataset_id, version_index: version.version_index }, cases };
    const msg = `the dataset has ${cases.length} rows with an output that can be tested, fewer than ${MIN_PAIRS}`;
    throw new AppError('invalid', 'judge_audit_rows_too_few', msg);
  }

  #begin(caller: Caller, { scorer, version }: ScorerWithVersion, plan: JudgeAuditPlan, node_type: string): Promise<StoredAudit> {
    const { newId, clock, judgeAuditStore, jobs, transactions } = this.#deps;
    const ids = { scorer_id: scorer.id, scorer_version_id: version.id };
    const audit: StoredAudit = {
      id: newId(),
      ...ids,
      scorer_version_number: version.version,
      ...{ status: 'running', message: null, plan, report: null },
      ...{ created_by: caller.user_id, created_at: clock().toISOString(), finished_at: null },
    };
    const asked = { job_name: JUDGE_AUDIT, project_id: null, run_id: null, created_by: caller.user_id };
    return transactions.run(async () => {
      await judgeAuditStore.insert(audit);
      const request_data = asJson({ ...ids, node_type });
      await jobs.start({ ...asked, id: audit.id, request_data, steps_total: plan.questions });
      await this.#note(caller, 'judge_audit.start', audit);
      return audit;
    });
  }

  /** One whose job was given up would stay for good, and stand in the way. */
  async #endForsaken({ scorer, version }: ScorerWithVersion): Promise<void> {
    const audits = await this.#deps.judgeAuditStore.list(scorer.id, version.id);
    for (const audit of audits) await this.#view(audit);
  }

  async #view(audit: StoredAudit): Promise<JudgeAudit> {
    if (audit.status !== 'running') return toView(audit, undefined);
    const { jobStore, judgeAuditStore, clock } = this.#deps;
    const job = await jobStore.find(audit.id);
    if (job && !hasEnded(job)) return toView(audit, job);
    const message = job?.error_message ?? 'the audit was given up';
    await judgeAuditStore.end(audit.id, { status: 'failed', message, report: null, finished_at: clock().toISOString() });
    const ended = await judgeAuditStore.find(audit.scorer_id, audit.id);
    return toView(ended ?? { ...audit, status: 'failed', message }, job);
  }

  async #find(scorer_id: string, audit_id: string): Promise<StoredAudit> {
    const audit = await this.#deps.judgeAuditStore.find(scorer_id, audit_id);
    if (audit) return audit;
    throw new AppError('not_found', 'judge_audit_not_found', `scorer ${scorer_id} has no audit ${audit_id}`);
  }

  async #own(caller: Caller, scorer_id: string): Promise<ScorerRecord> {
    const scorer = await this.#deps.scorerStore.find(scorer_id);
    if (!scorer) throw scorerNotFound(scorer_id);
    this.#deps.authorizer.authorizeOnOwn(caller, scorer.created_by, 'scorer');
    return scorer;
  }

  #note(caller: Caller, action: string, { id, scorer_id, scorer_version_number }: StoredAudit): Promise<void> {
    const details = { audit_id: id, version: String(scorer_version_number) };
    return this.#deps.auditTrail.note(caller, { action, object_kind: 'scorer', object_id: scorer_id, details });
  }
}

function toView({ report, ...audit }: StoredAudit, job: JobRecord | undefined): JudgeAudit {
  return { ...audit, report, questions_asked: report?.questions ?? job?.steps_completed ?? 0 };
}
