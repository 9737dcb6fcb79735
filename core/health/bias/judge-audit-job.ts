import { z } from 'zod';
import type { DatasetContentStore } from '../../datasets/dataset-content-store.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { Id } from '../../kernel/text.ts';
import { PluginError, type ScoreOutcome, type ScoreValue } from '../../plugin-sdk/index.ts';
import type { ScorerStore } from '../../scorers/scorer-store.ts';
import type { ScorerKits } from '../../scorers/scoring/scorer-kits.ts';
import { asJson } from '../../scorers/validation/plan.ts';
import { type AuditAsk, type AuditScope, planFirstAsks, planInjections, toInjectionAsks } from './audit-plan.ts';
import { AuditedJudge, type AuditedJudgeDeps } from './audited-judge.ts';
import { BUILT_IN_CASES } from './built-in-cases.ts';
import { listDatasetCases } from './dataset-cases.ts';
import type { JudgeAuditReport, StoredAudit } from './judge-audit.ts';
import type { JudgeAuditStore } from './judge-audit-store.ts';
import { judgeProbes } from './judge-probes.ts';
import { pairVerdicts } from './measure-probes.ts';

export const JUDGE_AUDIT = 'judge_audit';

export interface JudgeAuditJobDeps extends AuditedJudgeDeps {
  readonly judgeAuditStore: JudgeAuditStore;
  readonly scorerStore: Pick<ScorerStore, 'find' | 'findVersion'>;
  readonly datasetContentStore: DatasetContentStore;
  readonly scorerKits: ScorerKits;
  readonly pause: () => Promise<void>;
}

/** Request data of the job. */
export const JudgeAuditTask = z.object({ scorer_id: Id, scorer_version_id: Id, node_type: z.string() });

const Counted = z.object({
  unanswered: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost: z.number(),
  has_unpriced: z.boolean(),
});
/** How far an audit is: what a second attempt goes on from. */
const State = z.object({ begun_at: z.string(), verdicts: z.record(z.string(), z.json()), ...Counted.shape });
type State = z.output<typeof State>;

const ASKED_AT_ONCE = 8;
const MAX_MS = 60 * 60_000;
/** Questions without a verdict, at least, before an audit is given up because most have none. */
const FAILURES_ALLOWED = 8;

/** Asks a judge the questions of its audit and keeps the findings. What fails for good ends the audit with the reason. */
export class JudgeAuditJob implements JobHandler {
  readonly job_name = JUDGE_AUDIT;
  readonly #deps: JudgeAuditJobDeps;

  constructor(deps: JudgeAuditJobDeps) {
    this.#deps = deps;
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const task = JudgeAuditTask.parse(job.request_data);
    const audit = await this.#deps.judgeAuditStore.find(task.scorer_id, job.id);
    if (audit?.status !== 'running') throw new AppError('conflict', 'job_ended', `audit ${job.id} has ended`);
    try {
      const report = await this.#audit(audit, task.node_type, job, context, signal);
      await this.#end(audit, { status: 'completed', message: null, report });
      return asJson({ audit_id: audit.id, found: report.found });
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = error instanceof PluginError || (error instanceof AppError && error.kind !== 'unavailable');
      if (!isFinal) throw error;
      await this.#end(audit, { status: 'failed', message: error.message, report: null });
      throw error instanceof AppError ? error : failed(error.message);
    }
  }

  async #audit(
    audit: StoredAudit,
    node_type: string,
    job: JobRecord,
    context: JobContext,
    signal: AbortSignal,
  ): Promise<JudgeAuditReport> {
    const judge = await this.#judge(audit);
    const { probes, place, model_family, dataset } = audit.plan;
    const cases = dataset
      ? await listDatasetCases(this.#deps.datasetContentStore, dataset.id, dataset.version_index)
      : BUILT_IN_CASES;
    const scope: AuditScope = { cases, probes, scale: judge.scale, place, family: model_family ?? undefined };
    const now = this.#deps.clock();
    let state = job.state === null ? toFirstState(now) : State.parse(job.state);
    const left = Math.max(0, Date.parse(state.begun_at) + MAX_MS - now.getTime());
    const late = AbortSignal.timeout(left);
    const inTime = AbortSignal.any([signal, late]);
    const ask = async (asks: readonly AuditAsk[]) => {
      const open = asks.filter(({ key }) => !Object.hasOwn(state.verdicts, key));
      for (let at = 0; at < open.length; at += ASKED_AT_ONCE) {
        const batch = open.slice(at, at + ASKED_AT_ONCE);
        const outcomes = await this.#ask(judge, batch, { node_type, user_id: audit.created_by, signal: inTime }).catch(
          (error: unknown) => {
            signal.throwIfAborted();
            throw late.aborted ? failed(`the audit took longer than ${MAX_MS / 60_000} minutes`) : error;
          },
        );
        state = addOutcomes(state, batch, outcomes);
        const done = Object.keys(state.verdicts).length;
        const steps = { steps_completed: done, steps_total: Math.max(done, audit.plan.questions) };
        await context.report({ ...steps, message: `${done} of ${steps.steps_total} questions`, state });
        requireGoingOn(state, outcomes, audit.plan.max_cost);
      }
    };
    await ask(planFirstAsks(scope));
    await ask(planInjections(scope, toVerdicts(state)).flatMap((one) => toInjectionAsks(scope, one)));
    return this.#report(scope, state, dataset === null);
  }

  async #judge({ scorer_id, scorer_version_id }: StoredAudit): Promise<AuditedJudge> {
    const [scorer, version] = await Promise.all([
      this.#deps.scorerStore.find(scorer_id),
      this.#deps.scorerStore.findVersion(scorer_version_id),
    ]);
    if (!scorer || !version) throw failed('the scorer was deleted');
    return new AuditedJudge(this.#deps, scorer, version);
  }

  #ask(
    judge: AuditedJudge,
    batch: readonly AuditAsk[],
    { node_type, user_id, signal }: { readonly node_type: string; readonly user_id: string; readonly signal: AbortSignal },
  ): Promise<ScoreOutcome[]> {
    const kitOf = this.#deps.scorerKits.forJob();
    return judge.ask(batch, node_type, (own) => kitOf(judge.toUse(user_id), own), signal);
  }

  /** Verdicts on rows are not repeated: everyone reads reports, and not everyone sees the dataset. */
  async #report(scope: AuditScope, state: State, shows_cases: boolean): Promise<JudgeAuditReport> {
    const probes = await judgeProbes(pairVerdicts(scope, toVerdicts(state)), shows_cases, this.#deps.pause);
    const { unanswered, input_tokens, output_tokens, cost, has_unpriced } = state;
    return {
      found: probes.flatMap(({ probe, verdict }) => (verdict === 'biased' ? [probe] : [])),
      probes,
      questions: Object.keys(state.verdicts).length,
      ...{ unanswered, input_tokens, output_tokens },
      cost: has_unpriced ? null : cost,
    };
  }

  async #end({ id }: StoredAudit, end: Pick<StoredAudit, 'status' | 'message' | 'report'>): Promise<void> {
    await this.#deps.judgeAuditStore.end(id, { ...end, finished_at: this.#deps.clock().toISOString() });
  }
}

const failed = (message: string): AppError => new AppError('bad_request', 'judge_audit_failed', message);

const toFirstState = (now: Date): State => ({
  begun_at: now.toISOString(),
  verdicts: {},
  ...{ unanswered: 0, input_tokens: 0, output_tokens: 0, cost: 0, has_unpriced: false },
});

const toVerdicts = ({ verdicts }: State): ReadonlyMap<string, ScoreValue | null> =>
  new Map(Object.entries(verdicts) as [string, ScoreValue | null][]);

function addOutcomes(state: State, asks: readonly AuditAsk[], outcomes: readonly ScoreOutcome[]): State {
  const verdicts = asks.map(({ key }, at) => {
    const outcome = outcomes[at];
    return [key, outcome?.status === 'success' ? outcome.value : null] as const;
  });
  const efforts = outcomes.map(({ effort }) => effort);
  const sum = (amountOf: (effort: ScoreOutcome['effort']) => number | null | undefined) =>
    efforts.reduce((all, effort) => all + (amountOf(effort) ?? 0), 0);
  return {
    begun_at: state.begun_at,
    verdicts: { ...state.verdicts, ...State.shape.verdicts.parse(Object.fromEntries(verdicts)) },
    unanswered: state.unanswered + verdicts.filter(([, value]) => value === null).length,
    input_tokens: state.input_tokens + sum((effort) => effort?.input_tokens),
    output_tokens: state.output_tokens + sum((effort) => effort?.output_tokens),
    cost: state.cost + sum((effort) => effort?.cost),
    has_unpriced: state.has_unpriced || efforts.some((effort) => effort?.cost === null),
  };
}

/** Throws when it makes no sense to go on: the money is spent, or the judge gives hardly any verdicts. */
function requireGoingOn(state: State, newest: readonly ScoreOutcome[], max_cost: number | null): void {
  if (max_cost !== null && state.has_unpriced) throw failed('the price of a call is not known, so its limit cannot be kept');
  if (max_cost !== null && state.cost > max_cost) throw failed(`the limit of ${max_cost} US dollars was reached`);
  const asked = Object.keys(state.verdicts).length;
  if (state.unanswered < FAILURES_ALLOWED || state.unanswered * 2 <= asked) return;
  const why = newest.find((outcome) => outcome.status !== 'success');
  throw failed(`${state.unanswered} of ${asked} questions got no verdict${why ? `: ${why.message}` : ''}`);
}
