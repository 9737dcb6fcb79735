import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { UnpricedModelError } from '../../integrations/provider-failure.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import type { ModelDirectory } from '../../models/model-directory.ts';
import type { ModelGatewayDeps } from '../../models/model-gateway.ts';
import type { ProjectCall } from '../../models/prices/project-prices.ts';
import type { SpendingStore } from '../../models/spending.ts';
import { PluginError } from '../../plugin-sdk/index.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { NO_METRICS } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import { getRecordTypes } from '../../scores/record-types.ts';
import { asksModels, type ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerStore } from '../scorer-store.ts';
import { askScorer } from '../scoring/asked-scorer.ts';
import type { ScorerKits } from '../scoring/scorer-kits.ts';
import { getOutputType, prepared, type ScoringTask } from '../scoring/scoring-task.ts';
import { type Subject, subjectsOfTrace } from '../scoring/subject.ts';
import type { NewScorerEntry } from '../settings/metric-settings.ts';
import { planEntry } from '../settings/planned-entry.ts';
import type { CostForecast, ForecastModel } from './cost-forecast.ts';
import { NotedQuestions, type QuestionSum } from './noted-questions.ts';
import { listWeeklyTraffic, type TrafficDeps, type WeeklyTraffic } from './weekly-traffic.ts';

export interface CostForecastDeps extends TrafficDeps {
  readonly scorerStore: Pick<ScorerStore, 'find' | 'findVersion'>;
  readonly metricSettingsStore: Pick<MetricSettingsStore, 'find'>;
  readonly scorerKinds: ScorerKinds;
  readonly scorerKits: ScorerKits;
  readonly modelDirectory: Pick<ModelDirectory, 'offer'>;
  readonly priceLookup: ModelGatewayDeps['priceLookup'];
  readonly spendingStore: Pick<SpendingStore, 'list'>;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly log: Log;
}

/** Where a scorer is to be enabled. */
interface Place {
  readonly project_id: string;
  readonly run_id: string;
}

const DAY_MS = 24 * 60 * 60_000;
const WEEKS_A_MONTH = 30 / 7;
/** Records of each level that the scorer is shown. */
const TRIED = 10;
/** Somebody waits. */
const MAX_MS = 15_000;
/** Days of earlier calls that tell tokens. */
const MEASURED_DAYS = 30;
/** The usual rule for English; other languages take more tokens. */
const CHARACTERS_A_TOKEN = 4;
/** A verdict with its reason; where less is allowed, that. */
const ASSUMED_OUTPUT_TOKENS = 150;

/** Tells what a scorer would cost before it is enabled: the questions that it would ask about the last week's records, at today's prices. */
export class CostForecastService {
  readonly #deps: CostForecastDeps;

  constructor(deps: CostForecastDeps) {
    this.#deps = deps;
  }

  /** Asks no model. Models and prices are those of the caller's integrations, who would pay. */
  async forecast(caller: Caller, place: Place, entry: NewScorerEntry): Promise<CostForecast> {
    await this.#deps.authorizer.authorize(caller, 'project', place.project_id, 'set_metric');
    const task = await this.#task(caller, place, entry);
    const traffic = await listWeeklyTraffic(this.#deps, place, task);
    const found = { records_last_week: sum(traffic, ({ records }) => records), judged_last_week: sum(traffic, getJudged) };
    if (!asksModels(task.entry.model_type)) return { ...found, monthly_cost: 0, unknown_because: null, models: [] };
    const unknown = (unknown_because: string): CostForecast => ({ ...found, monthly_cost: null, unknown_because, models: [] });
    if (getRecordTypes(task.entry.scoreable_node_types).has('session')) return unknown('sessions are not forecast');
    if (found.judged_last_week === 0) return unknown('nothing that the scorer would judge was logged in the last seven days');
    const questions = await this.#questions(caller, place, task, traffic);
    if (typeof questions === 'string') return unknown(questions);
    const models = await Promise.all([...questions.values()].map((one) => this.#model(caller, place, task, one)));
    const unpriced = models.find(({ cost_per_call, is_forbidden }) => cost_per_call === null || is_forbidden);
    if (unpriced) return { ...unknown(toReason(unpriced)), models };
    return {
      ...found,
      monthly_cost: sum(models, ({ calls_per_month, cost_per_call }) => calls_per_month * cost_per_call!),
      unknown_because: null,
      models,
    };
  }

  async #task(caller: Caller, { project_id, run_id }: Place, asked: NewScorerEntry): Promise<ScoringTask> {
    const { scorerStore, runDirectory, metricSettingsStore, scorerKinds, clock } = this.#deps;
    if (!(await runDirectory.findRun(project_id, run_id)))
      throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    const scorer = await scorerStore.find(asked.id);
    if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${asked.id} does not exist`);
    const version_id = asked.scorer_version?.id ?? scorer.default_version_id;
    const version = version_id ? await scorerStore.findVersion(version_id) : undefined;
    if (version?.scorer_id !== scorer.id)
      throw new AppError('not_found', 'scorer_version_not_found', `scorer "${scorer.name}" has no such version`);
    const { segment_filters } = (await metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
    const enabled = { enabled_at: clock().toISOString(), enabled_by: caller.user_id };
    const entry = { ...planEntry(asked, scorer, version, scorerKinds), ...enabled };
    return { entry, scorer, version, samples: segment_filters };
  }

  /** Questions of a month to each model, or why they are not known. */
  async #questions(
    caller: Caller,
    place: Place,
    task: ScoringTask,
    traffic: readonly WeeklyTraffic[],
  ): Promise<ReadonlyMap<string, QuestionSum> | string> {
    const all = new Map<string, QuestionSum>();
    const signal = AbortSignal.timeout(MAX_MS);
    try {
      for (const { newest, judged } of traffic.filter((one) => one.judged > 0)) {
        const noted = new NotedQuestions();
        const subjects = await this.#subjects(place, newest);
        for (const subject of subjects) await this.#try(caller, place, task, { subject, noted, signal });
        const times = (judged * WEEKS_A_MONTH) / subjects.length;
        for (const [model, one] of noted.byModel) all.set(model, add(all.get(model), one, times));
      }
    } catch (error) {
      if (signal.aborted) return 'the scorer took too long to say what it would ask';
      if (error instanceof PluginError) return error.message;
      throw error;
    }
    return all.size > 0 ? all : 'the scorer asked no question about the newest records';
  }

  async #subjects({ project_id, run_id }: Place, newest: WeeklyTraffic['newest']): Promise<Subject[]> {
    const { traceStore, sha256 } = this.#deps;
    const chosen = newest.slice(0, TRIED);
    const ids = new Set(chosen.map(({ id }) => id));
    const subjects: Subject[] = [];
    for (const trace_id of new Set(chosen.map((record) => record.trace_id))) {
      const records = await traceStore.listTraces(project_id, run_id, [trace_id]);
      subjects.push(...subjectsOfTrace(records, sha256).filter(({ record }) => ids.has(record.id)));
    }
    return subjects;
  }

  async #try(caller: Caller, place: Place, task: ScoringTask, { subject, noted, signal }: Trial): Promise<void> {
    const { scorerKinds, scorerKits, log } = this.#deps;
    const scorer = prepared(scorerKinds, task);
    const facts = { scorer_id: task.scorer.id, scorer_version_id: task.version.id };
    const use = { ...place, ...facts, user_id: caller.user_id, daily_budget: null };
    const kit = noted.noting(scorerKits.forJob()(use, signal));
    const item = {
      record: subject.text(),
      ...(scorer.surroundings === 'none' ? {} : { around: subject.surroundings.texts() }),
      ...(scorer.ground_truth && subject.ground_truth !== null ? { ground_truth: subject.ground_truth } : {}),
    };
    await askScorer(() => scorer.start(kit), { items: [item], signal }, { output_type: getOutputType(task), log, facts });
  }

  async #model(caller: Caller, place: Place, task: ScoringTask, questions: QuestionSum): Promise<ForecastModel> {
    const estimated = {
      model_alias: questions.alias,
      calls_per_month: questions.calls,
      input_tokens_per_call: questions.characters / questions.calls / CHARACTERS_A_TOKEN,
      output_tokens_per_call: Math.min(ASSUMED_OUTPUT_TOKENS, questions.most_output_tokens / questions.calls),
      is_measured: false,
      is_forbidden: false,
    };
    const offer = await this.#deps.modelDirectory
      .offer(caller.user_id, questions.alias, questions.provider)
      .catch((error: unknown) => {
        if (error instanceof PluginError) return undefined;
        throw error;
      });
    if (!offer) return { ...estimated, provider: null, model: null, cost_per_call: null };
    const offered = { provider: offer.integration.provider, model: offer.model };
    const measured = await this.#measured(place, task, offered);
    const tokens = { ...estimated, ...measured };
    const call = { project_id: place.project_id, provider: offered.provider, at: this.#deps.clock().toISOString() };
    return {
      ...tokens,
      ...offered,
      is_forbidden: await this.#deps.priceLookup.isForbidden(offered.model, call),
      cost_per_call: measured?.cost_per_call ?? (await this.#price(offered, tokens, call)),
    };
  }

  /** Tokens, and the price where it was always known, of the earlier calls of this version to this model. */
  async #measured({ project_id }: Place, { scorer, version }: ScoringTask, { provider, model }: Offered) {
    const from = new Date(this.#deps.clock().getTime() - MEASURED_DAYS * DAY_MS).toISOString().slice(0, 10);
    const spending = (await this.#deps.spendingStore.list(project_id, { scorer_id: scorer.id, from })).filter(
      (one) => one.scorer_version_id === version.id && one.provider === provider && one.model === model,
    );
    const answered = sum(spending, ({ calls, failed_calls }) => calls - failed_calls);
    if (answered <= 0) return undefined;
    const isPriced = spending.every(({ unpriced_calls }) => unpriced_calls === 0);
    return {
      input_tokens_per_call: sum(spending, ({ input_tokens }) => input_tokens) / answered,
      output_tokens_per_call: sum(spending, ({ output_tokens }) => output_tokens) / answered,
      is_measured: true,
      cost_per_call: isPriced ? sum(spending, ({ cost }) => cost) / answered : null,
    };
  }

  #price({ model }: Offered, tokens: Pick<ForecastModel, 'input_tokens_per_call' | 'output_tokens_per_call'>, call: ProjectCall) {
    const usage = { input_tokens: tokens.input_tokens_per_call, output_tokens: tokens.output_tokens_per_call };
    return this.#deps.priceLookup.computeCost({ text: '', finish_reason: 'stop', model, usage }, call);
  }
}

interface Trial {
  readonly subject: Subject;
  readonly noted: NotedQuestions;
  readonly signal: AbortSignal;
}

interface Offered {
  readonly provider: string;
  readonly model: string;
}

const getJudged = ({ judged }: WeeklyTraffic): number => judged;

const sum = <T>(list: readonly T[], amountOf: (one: T) => number): number => list.reduce((all, one) => all + amountOf(one), 0);

const add = (
  before: QuestionSum | undefined,
  { calls, characters, most_output_tokens, ...model }: QuestionSum,
  times: number,
): QuestionSum => ({
  ...model,
  calls: (before?.calls ?? 0) + calls * times,
  characters: (before?.characters ?? 0) + characters * times,
  most_output_tokens: (before?.most_output_tokens ?? 0) + most_output_tokens * times,
});

function toReason({ model_alias, model, is_forbidden }: ForecastModel): string {
  if (model === null) return `no integration of yours offers the model "${model_alias}"`;
  return is_forbidden ? new UnpricedModelError(model).message : `the price of the model "${model}" is not known`;
}
