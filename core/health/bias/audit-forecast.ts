import { AppError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/ports.ts';
import type { ModelDirectory } from '../../models/model-directory.ts';
import type { ModelGatewayDeps } from '../../models/model-gateway.ts';
import { PluginError, type ScorerKit } from '../../plugin-sdk/index.ts';
import { NotedQuestions, type QuestionSum } from '../../scorers/forecast/noted-questions.ts';
import type { ScorerKits } from '../../scorers/scoring/scorer-kits.ts';
import { type AuditAsk, type AuditScope, planFirstAsks, planInjections, toInjectionAsks } from './audit-plan.ts';
import { TEXT_PLACES, type TextPlace } from './audit-texts.ts';
import { type AuditedJudge, unsupported } from './audited-judge.ts';
import { MODEL_FAMILIES, type ModelFamily } from './fixtures/added-texts.ts';
import type { JudgeAuditPlan } from './judge-audit.ts';

export interface AuditForecastDeps {
  readonly scorerKits: ScorerKits;
  readonly modelDirectory: Pick<ModelDirectory, 'offer'>;
  readonly priceLookup: ModelGatewayDeps['priceLookup'];
  readonly clock: Clock;
  readonly pause: () => Promise<void>;
}

/** Record that the judge is asked about, and the part of it that it is shown. */
export interface AuditTarget {
  readonly node_type: string;
  readonly place: TextPlace;
}

type ForecastModel = JudgeAuditPlan['models'][number];
type Costs = Pick<JudgeAuditPlan, 'calls' | 'models' | 'estimated_cost' | 'unknown_because'>;

const MARKERS = { answer: 'marker of the answer', question: 'marker of the question', document: 'marker of the document' };
/** Somebody waits. */
const MAX_MS = 20_000;
const ASKED_AT_ONCE = 20;
/** The usual rule for English. */
const CHARACTERS_A_TOKEN = 4;
/** A verdict, with its reason where one is wanted; where less is allowed, that. */
const ASSUMED_OUTPUT_TOKENS = 150;

/** Tells what an audit asks and costs, without asking any model. */
export class AuditForecast {
  readonly #deps: AuditForecastDeps;

  constructor(deps: AuditForecastDeps) {
    this.#deps = deps;
  }

  /** Which record the judge can be asked about, and where it looks. Throws an AppError `invalid` where it looks at nothing that an audit makes. */
  async findTarget(judge: AuditedJudge, user_id: string): Promise<AuditTarget> {
    let problem = 'it asks no question about the records that an audit makes';
    for (const node_type of judge.listNodeTypes()) {
      const shown = new ShownTexts();
      const texts = { ...MARKERS, truth: 'truth' };
      const [outcome] = await this.#note(judge, user_id, [{ key: 'markers', texts }], node_type, (kit) => shown.noting(kit));
      const place = TEXT_PLACES.find((one) => shown.text.includes(MARKERS[one]));
      if (place) return { node_type, place };
      if (shown.text !== '') problem = 'it is shown none of the texts that an audit changes';
      else if (outcome && outcome.status !== 'success') problem = outcome.message;
    }
    throw unsupported(`the judge cannot be tested for bias: ${problem}`);
  }

  async estimate(
    judge: AuditedJudge,
    user_id: string,
    scope: AuditScope,
    node_type: string,
  ): Promise<Costs & { questions: number }> {
    const asks = [...planFirstAsks(scope), ...planInjections(scope, undefined).flatMap((one) => toInjectionAsks(scope, one))];
    const noted = new NotedQuestions();
    for (let at = 0; at < asks.length; at += ASKED_AT_ONCE) {
      await this.#note(judge, user_id, asks.slice(at, at + ASKED_AT_ONCE), node_type, (kit) => noted.noting(kit));
      await this.#deps.pause();
    }
    const models = await Promise.all([...noted.byModel.values()].map((one) => this.#model(user_id, one)));
    const unknown = models.map(({ problem }) => problem).find((problem) => problem !== null) ?? null;
    return {
      questions: asks.length,
      calls: models.reduce((sum, { model }) => sum + model.calls, 0),
      models: models.map(({ model }) => model),
      estimated_cost: unknown === null ? models.reduce((sum, { model }) => sum + model.estimated_cost!, 0) : null,
      unknown_because: unknown,
    };
  }

  #note(
    judge: AuditedJudge,
    user_id: string,
    asks: readonly AuditAsk[],
    node_type: string,
    noting: (kit: ScorerKit) => ScorerKit,
  ) {
    const kit = (signal: AbortSignal) => noting(this.#deps.scorerKits.forJob()(judge.toUse(user_id), signal));
    return judge.ask(asks, node_type, kit, AbortSignal.timeout(MAX_MS)).catch((error: unknown) => {
      if (error instanceof PluginError) throw unsupported(error.message);
      throw error;
    });
  }

  async #model(user_id: string, question: QuestionSum): Promise<{ model: ForecastModel; problem: string | null }> {
    const { alias, provider, calls, characters, most_output_tokens } = question;
    const offer = await this.#deps.modelDirectory.offer(user_id, alias, provider).catch((error: unknown) => {
      if (error instanceof PluginError) return error;
      throw error;
    });
    const known = { model_alias: alias, calls };
    if (offer instanceof PluginError)
      return { model: { ...known, provider: null, model: null, estimated_cost: null }, problem: offer.message };
    const { model } = offer;
    const offered = { ...known, provider: offer.integration.provider, model };
    const call = { project_id: null, provider: offered.provider, at: this.#deps.clock().toISOString() };
    const usage = {
      input_tokens: Math.ceil(characters / CHARACTERS_A_TOKEN),
      output_tokens: Math.min(ASSUMED_OUTPUT_TOKENS * calls, most_output_tokens),
    };
    const cost = await this.#deps.priceLookup.computeCost({ text: '', finish_reason: 'stop', model, usage }, call);
    const problem = cost === null ? `the price of the model "${model}" is not known` : null;
    return { model: { ...offered, estimated_cost: cost }, problem };
  }
}

/** The family that all models of a judge belong to, by their names; undefined where they tell none, or several. */
export function getFamily(models: readonly ForecastModel[]): ModelFamily | undefined {
  const families = models.map(({ model_alias, model }) => {
    const name = `${model_alias} ${model ?? ''}`;
    return MODEL_FAMILIES.find(({ names }) => names.test(name))?.name;
  });
  return families.every((one) => one === families[0]) ? families[0] : undefined;
}

/** Models that answer nothing: the text that they are shown is kept. */
class ShownTexts {
  text = '';

  noting(kit: ScorerKit): ScorerKit {
    return {
      ...kit,
      model: async () => ({
        ask: async ({ system = '', messages }) => {
          this.text += [system, ...messages.map(({ content }) => content)].join('\n');
          throw new PluginError('unsupported', 'an audit that is planned asks no model');
        },
      }),
    };
  }
}

/** Calls of one audit. */
const MAX_CALLS = 10_000;

export function requireAffordable({ calls, estimated_cost, unknown_because, max_cost }: JudgeAuditPlan): void {
  if (calls > MAX_CALLS)
    throw new AppError(
      'invalid',
      'judge_audit_too_large',
      `the audit would take ${calls} calls of models, more than ${MAX_CALLS}`,
    );
  if (max_cost === null) return;
  if (estimated_cost === null)
    throw new AppError('invalid', 'judge_audit_cost_unknown', `it is not known what the audit would cost: ${unknown_because}`);
  if (estimated_cost > max_cost) {
    const amounts = `about ${estimated_cost} US dollars, more than ${max_cost}`;
    throw new AppError('invalid', 'judge_audit_too_expensive', `the audit would cost ${amounts}`);
  }
}
