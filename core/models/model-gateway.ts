import { CircuitOpenError, UnpricedModelError } from '../integrations/provider-failure.ts';
import type { Sha256 } from '../kernel/digest.ts';
import type { Clock } from '../kernel/ports.ts';
import { type Completion, PluginError, type ReadableFiles } from '../plugin-sdk/index.ts';
import { type AnswerCache, digestQuestion, KEPT_DAYS } from './answer-cache.ts';
import type { SpendingBudgets } from './budgets/spending-budgets.ts';
import { CallsWithFiles, type OpenMessages } from './calls-with-files.ts';
import type { CallOptions, ModelAnswer, ModelUsage, Question } from './model-call.ts';
import type { ModelOffer } from './model-directory.ts';
import type { ProjectCall, ProjectPrices } from './prices/project-prices.ts';
import type { ProviderCalls } from './provider-calls.ts';
import { fitToProvider } from './provider-support.ts';
import { MAX_ATTEMPTS, type RetryClock, retryDelay } from './retry-policy.ts';
import type { Amount, SpendingKey, SpendingStore } from './spending.ts';
import { completeInParts } from './streamed-completion.ts';

/** Whose integrations offer which models. */
export interface ModelOffers {
  /** Rejects with a PluginError when none does. */
  offer(user_id: string, alias: string, provider?: string): Promise<ModelOffer>;
}

export interface ModelGatewayDeps {
  readonly modelDirectory: ModelOffers;
  readonly providerCalls: ProviderCalls;
  readonly answerCache: AnswerCache;
  readonly spendingStore: SpendingStore;
  readonly spendingBudgets: Pick<SpendingBudgets, 'requireLeft' | 'note'>;
  readonly priceLookup: Pick<ProjectPrices, 'computeCost' | 'isForbidden'>;
  readonly retryClock: RetryClock;
  readonly sha256: Sha256;
  readonly clock: Clock;
}

/** A model of a user, open to be asked. */
export interface OpenModel {
  /** Files that it reads; none where absent. */
  readonly files?: ReadableFiles | undefined;
  /**
   * Rejects with a PluginError when there is no answer after all attempts, or when the budget for it is spent; at once with
   * CircuitOpenError when the provider is not to be called now; with the signal's reason when that is aborted.
   */
  ask(question: Question, options: CallOptions): Promise<ModelAnswer>;
}

/** Models opened in the course of one job: an integration that refuses its credentials is not called again in it. */
export interface ModelSession {
  /**
   * The model of any provider, or of the one that is named. Rejects with a PluginError when none of the user's integrations offers it, or when that is not known now; with
   * UnpricedModelError when its price is not known and calls of such models are forbidden.
   */
  open(usage: ModelUsage, alias: string, provider?: string): Promise<OpenModel>;
}

const DEADLINE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Integrations whose credentials were refused in the course of one job. */
type Refused = Set<string>;

interface Opened {
  readonly usage: ModelUsage;
  readonly offer: ModelOffer;
  readonly refused: Refused;
}

interface Asked extends Opened {
  readonly question: Question;
  readonly options: CallOptions;
  readonly digest: string;
}

/**
 * The one gateway to models: every call of a model goes through it. Retries failed calls, keeps answers, checks budgets and counts every
 * call in the spending ledger; concurrency limit, circuit breaker and deadline are those of the integration (`ProviderCalls`).
 */
export class ModelGateway {
  readonly #deps: ModelGatewayDeps;
  readonly #callsWithFiles = new CallsWithFiles();

  constructor(deps: ModelGatewayDeps) {
    this.#deps = deps;
  }

  session(): ModelSession {
    const refused: Refused = new Set();
    return {
      open: async (usage, alias, provider) => {
        const offer = await this.#deps.modelDirectory.offer(usage.user_id, alias, provider);
        const opened = { usage, offer, refused };
        await this.#requirePrice(opened);
        return { files: offer.files, ask: (question, options) => this.#ask(opened, question, options) };
      },
    };
  }

  async #ask(opened: Opened, wanted: Question, options: CallOptions): Promise<ModelAnswer> {
    const { question, left_out } = fitToProvider(opened.offer.provider, wanted);
    const { completion, ...answer } = await this.#askFitted(opened, question, options);
    if (left_out.length === 0) return { completion, ...answer };
    return { completion: { ...completion, left_out: [...left_out, ...(completion.left_out ?? [])] }, ...answer };
  }

  async #askFitted(opened: Opened, question: Question, options: CallOptions): Promise<ModelAnswer> {
    const { offer, usage } = opened;
    const { cache } = options;
    const asked = { provider: offer.integration.provider, model: offer.model, scope: cache?.scope ?? '' };
    const digest = digestQuestion(asked, question, cache?.nonce, this.#deps.sha256);
    const call: Asked = { ...opened, question, options, digest };
    const known = await this.#cached(call);
    if (known) {
      options.onText?.(known.text);
      await this.#count(opened, { cached_answers: 1 });
      return { completion: known, cost: 0, cached: true };
    }
    // Whoever forbids it while a long job goes on is heard, too.
    await this.#requirePrice(opened);
    const answer = await this.#askWithRetries(call);
    if (cache?.accept(answer.completion)) await this.#keep(usage, digest, answer.completion);
    return answer;
  }

  async #askWithRetries(call: Asked): Promise<ModelAnswer> {
    const { retryClock } = this.#deps;
    const { signal, onText } = call.options;
    let isTold = false;
    const tell = (text: string): void => {
      isTold = true;
      onText?.(text);
    };
    const told = { ...call, options: { ...call.options, ...(onText && { onText: tell }) } };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(told);
      } catch (error) {
        signal.throwIfAborted();
        if (isTold || !(error instanceof PluginError) || !error.retryable || error instanceof CircuitOpenError) throw error;
        if (attempt + 1 === MAX_ATTEMPTS) throw afterAllAttempts(error);
        await retryClock.sleep(retryDelay(attempt, error, retryClock.random()), signal);
      }
    }
  }

  /** Counted before it is made: a process that dies meanwhile leaves a call without an answer, not an uncounted one. */
  async #attempt(call: Asked): Promise<ModelAnswer> {
    let isMade = false;
    const prepare = async (): Promise<void> => {
      refuseRejected(call);
      await this.#checkBudget(call);
      await this.#count(call, { calls: 1 });
      isMade = true;
    };
    try {
      return await this.#answered(call, await this.#complete(call, prepare));
    } catch (error) {
      if (isMade) await this.#count(call, { failed_calls: 1 });
      if (error instanceof PluginError && error.failure === 'credentials_rejected') call.refused.add(call.offer.integration.id);
      throw error;
    }
  }

  async #complete({ usage, offer, question, options, digest }: Asked, prepare: () => Promise<void>): Promise<Completion> {
    const { provider, model, integration } = offer;
    const { project_id, run_id, user_id } = usage;
    const owner = project_id ?? user_id;
    const labels = { ...(project_id !== null && { project_id }), ...(run_id !== null && { run_id }) };
    let open: OpenMessages | undefined;
    try {
      return await this.#deps.providerCalls.attempt(integration, {
        owner,
        deadlineMs: options.deadlineMs ?? DEADLINE_MS,
        signal: options.signal,
        question: digest,
        // Here, since what hinders it says nothing of the provider, and is no time of its.
        prepare: async () => {
          open = await this.#callsWithFiles.open(question.messages, owner, options.signal);
          await prepare();
        },
        call: (signal) => {
          const request = { ...question, messages: open!.messages, model, labels, signal };
          return options.onText ? completeInParts(provider, request, options.onText) : provider.complete(request);
        },
      });
    } finally {
      open?.release();
    }
  }

  async #answered(call: Asked, completion: Completion): Promise<ModelAnswer> {
    const cost = await this.#deps.priceLookup.computeCost(completion, this.#toCall(call));
    await this.#count(call, toAmounts(completion, cost));
    if (cost !== null) await this.#deps.spendingBudgets.note(call.usage.project_id, cost);
    return { completion, cost, cached: false };
  }

  /** An unknown price is not a price of zero: budgets and spending would not see what such calls cost. */
  async #requirePrice(opened: Opened): Promise<void> {
    const { model } = opened.offer;
    if (await this.#deps.priceLookup.isForbidden(model, this.#toCall(opened))) throw new UnpricedModelError(model);
  }

  #toCall({ usage, offer }: Opened): ProjectCall {
    return { project_id: usage.project_id, provider: offer.integration.provider, at: this.#now() };
  }

  async #checkBudget({ usage, options }: Asked): Promise<void> {
    const { project_id, run_id, scorer_id } = usage;
    await this.#deps.spendingBudgets.requireLeft(project_id);
    if (!options.budget || project_id === null || run_id === null || scorer_id === null) return;
    const { perDay } = options.budget;
    const spent = await this.#deps.spendingStore.sumCost({ project_id, run_id, scorer_id, day: this.#today() });
    if (spent < perDay) return;
    throw new PluginError('unsupported', `the budget of ${perDay} US dollars a day for this scorer is spent`);
  }

  async #cached({ usage, options, digest }: Asked): Promise<Completion | undefined> {
    if (!options.cache || usage.project_id === null) return undefined;
    return this.#deps.answerCache.find(usage.project_id, digest, this.#now());
  }

  async #keep({ project_id, run_id }: ModelUsage, key: string, completion: Completion): Promise<void> {
    if (project_id === null || run_id === null) return;
    const expires_at = new Date(this.#deps.clock().getTime() + KEPT_DAYS * DAY_MS).toISOString();
    await this.#deps.answerCache.keep({ project_id, run_id, key, completion, expires_at });
  }

  #count({ usage, offer }: Opened, amounts: Partial<Record<Amount, number>>): Promise<void> {
    const key: SpendingKey = { ...usage, provider: offer.integration.provider, model: offer.model, day: this.#today() };
    return this.#deps.spendingStore.add(key, amounts);
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }

  #today(): string {
    return this.#now().slice(0, 10);
  }
}

function refuseRejected({ refused, offer: { integration } }: Opened): void {
  if (refused.has(integration.id))
    throw new PluginError('credentials_rejected', `${integration.provider}: credentials were refused`);
}

const toAmounts = ({ usage }: Completion, cost: number | null): Partial<Record<Amount, number>> => ({
  input_tokens: usage.input_tokens ?? 0,
  output_tokens: usage.output_tokens ?? 0,
  ...(cost === null ? { unpriced_calls: 1 } : { cost }),
});

const afterAllAttempts = (error: PluginError): PluginError =>
  new PluginError(error.failure, `${error.message}, in ${MAX_ATTEMPTS} tries`, {
    cause: error,
    ...(error.retry_after_seconds !== undefined && { retry_after_seconds: error.retry_after_seconds }),
  });
