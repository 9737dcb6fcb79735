import type { CircuitBreakers } from '../../integrations/circuit-breaker.ts';
import { DeadlineExceeded, withDeadline } from '../../kernel/deadline.ts';
import type { Sha256 } from '../../kernel/digest.ts';
import type { Clock, Log } from '../../kernel/ports.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import {
  type Completion,
  type JudgeCall,
  type LentCompletion,
  type LentModel,
  type ModelProvider,
  PluginError,
} from '../../plugin-sdk/index.ts';
import { type ModelUse, NO_PROJECT } from '../scoring/scorer-kits.ts';
import { type AnswerCache, KEPT_DAYS, toCacheKey } from './answer-cache.ts';
import { MAX_TRIES, type Patience, waitAfter } from './attempts.ts';
import { CallGate } from './call-gate.ts';
import type { Amount, SpendingKey, SpendingStore } from './spending.ts';

/** A model that an integration of a user offers. */
export interface ModelOffer {
  readonly integration: { readonly id: string; readonly provider: string };
  readonly provider: ModelProvider;
  /** Its name at the provider. */
  readonly model: string;
}

/** Whose integrations offer which models. */
export interface ModelOffers {
  /** Rejects with a PluginError when none does. */
  offer(user_id: string, alias: string): Promise<ModelOffer>;
}

export interface ModelLenderDeps {
  readonly modelDirectory: ModelOffers;
  readonly projectVisibility: { sees(user_id: string, project_id: string): Promise<boolean> };
  readonly answerCache: AnswerCache;
  readonly spendingStore: SpendingStore;
  readonly priceBook: {
    computeCost(completion: Completion, call: { readonly provider: string; readonly at: string }): number | null;
  };
  readonly circuitBreakers: CircuitBreakers;
  readonly patience: Patience;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long one call may take. */
const CALL_MS = 60_000;
/** When a provider is asked again that did not say which models it has. */
const UNREACHABLE_MS = 15_000;
const DAY_MS = 24 * 60 * 60_000;

/** Integrations whose credentials were refused in the course of one job. */
type Refused = Set<string>;

interface Lent {
  readonly use: ModelUse;
  readonly offer: ModelOffer;
  readonly refused: Refused;
}

/** Lends models to scorers: repeats, limits, remembers and counts calls. */
export class ModelLender {
  readonly #deps: ModelLenderDeps;
  readonly #gates = new Map<string, CallGate>();

  constructor(deps: ModelLenderDeps) {
    this.#deps = deps;
  }

  /** For one job: an integration that refuses its credentials is not asked again in it. */
  forJob(): (use: ModelUse, alias: string) => Promise<LentModel> {
    const refused: Refused = new Set();
    return async (use, alias) => {
      if (use.user_id === null) throw nobodyLends('nobody is known whose integrations the scorer may use');
      // Who has left the project does not pay for it any more.
      if (use.project_id !== NO_PROJECT && !(await this.#deps.projectVisibility.sees(use.user_id, use.project_id)))
        throw nobodyLends('who enabled the scorer does not see the project any more');
      const offer = await this.#deps.modelDirectory.offer(use.user_id, alias).catch((error: unknown) => {
        throw error instanceof PluginError && error.retryable ? later(use, UNREACHABLE_MS, error.message) : error;
      });
      return { ask: (call) => this.#ask({ use, offer, refused }, call) };
    };
  }

  async #ask(lent: Lent, call: JudgeCall): Promise<LentCompletion> {
    const { answerCache, sha256 } = this.#deps;
    const { project_id, run_id, scorer_version_id } = lent.use;
    const { provider } = lent.offer.integration;
    const key = toCacheKey({ provider, model: lent.offer.model, scorer_version_id }, call, sha256);
    const known = await answerCache.find(project_id, key, this.#now());
    if (known) {
      await this.#count(lent, { cached_answers: 1 });
      return { ...known, price: 0, cached: true };
    }
    const { completion, price } = await this.#askUntilAnswered(lent, call, key);
    if (call.accept(completion)) {
      const expires_at = new Date(this.#deps.clock().getTime() + KEPT_DAYS * DAY_MS).toISOString();
      await answerCache.keep({ project_id, run_id, key, completion, expires_at });
    }
    return { ...completion, price, cached: false };
  }

  async #askUntilAnswered(lent: Lent, call: JudgeCall, key: string): Promise<{ completion: Completion; price: number | null }> {
    const { patience } = this.#deps;
    const gate = this.#toGate(lent.offer);
    for (let tries = 0; ; tries += 1) {
      try {
        return await gate.through(call.signal, () => this.#askUnlessOpen(lent, call, key));
      } catch (error) {
        call.signal.throwIfAborted();
        if (!(error instanceof PluginError) || !error.retryable) throw error;
        if (tries + 1 === MAX_TRIES) throw afterAllTries(error);
        await patience.sleep(waitAfter(tries, error, patience.random()), call.signal);
      }
    }
  }

  /** A provider that does not answer is not asked by every call: the circuit breaker says when it is tried again. */
  async #askUnlessOpen(lent: Lent, call: JudgeCall, question: string): Promise<{ completion: Completion; price: number | null }> {
    const { circuitBreakers, clock } = this.#deps;
    const { id, provider } = lent.offer.integration;
    const circuit = circuitBreakers.of(id);
    const { retryAfterMs, isTry } = circuit.admit(clock().getTime());
    if (retryAfterMs !== undefined) throw later(lent.use, retryAfterMs, `${provider}: does not answer, and is asked again later`);
    try {
      const answer = await this.#askOnce(lent, call, this.#toGate(lent.offer));
      circuit.onSuccess();
      return answer;
    } catch (error) {
      if (call.signal.aborted || !(error instanceof PluginError) || !wasMade.has(error)) circuit.onCancel({ isTry });
      else if (error.failure !== 'unavailable') circuit.onSuccess();
      else circuit.onFailure(clock().getTime(), question, { timedOut: error.cause instanceof DeadlineExceeded, isTry });
      throw error;
    }
  }

  /** Counted before it is made: a process that dies meanwhile leaves a call without an answer, not an uncounted one. */
  async #askOnce(lent: Lent, call: JudgeCall, gate: CallGate): Promise<{ completion: Completion; price: number | null }> {
    const { offer, use, refused } = lent;
    if (refused.has(offer.integration.id))
      throw new PluginError('credentials_rejected', `${offer.integration.provider}: credentials were refused`);
    await this.#demandMoney(use);
    await this.#count(lent, { calls: 1 });
    try {
      const completion = await completed(offer, call, { project_id: use.project_id, run_id: use.run_id });
      gate.wentWell();
      const price = this.#deps.priceBook.computeCost(completion, { provider: offer.integration.provider, at: this.#now() });
      await this.#count(lent, toAmounts(completion, price));
      return { completion, price };
    } catch (error) {
      if (error instanceof PluginError) {
        wasMade.add(error);
        this.#heed(error, lent, gate);
      }
      await this.#count(lent, { failed_calls: 1 });
      throw error;
    }
  }

  #heed({ failure }: PluginError, { offer, refused }: Lent, gate: CallGate): void {
    const { id, provider } = offer.integration;
    this.#deps.log.warn('a call of a model failed', { integration_id: id, provider, failure });
    if (failure === 'rate_limited') gate.slowDown();
    if (failure === 'credentials_rejected') refused.add(id);
  }

  async #demandMoney({ project_id, run_id, scorer_id, daily_budget }: ModelUse): Promise<void> {
    if (daily_budget === null) return;
    const spent = await this.#deps.spendingStore.spentOn({ project_id, run_id, scorer_id, day: this.#today() });
    if (spent < daily_budget) return;
    throw new PluginError('unsupported', `the budget of ${daily_budget} US dollars a day for this scorer is spent`);
  }

  #count({ use, offer }: Lent, amounts: Partial<Record<Amount, number>>): Promise<void> {
    const { project_id, run_id, scorer_id, scorer_version_id } = use;
    const whom = { provider: offer.integration.provider, model: offer.model, day: this.#today() };
    const key: SpendingKey = { project_id, run_id, scorer_id, scorer_version_id, ...whom };
    return this.#deps.spendingStore.add(key, amounts);
  }

  #toGate({ integration }: ModelOffer): CallGate {
    const gate = this.#gates.get(integration.id) ?? new CallGate();
    this.#gates.set(integration.id, gate);
    return gate;
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }

  #today(): string {
    return this.#now().slice(0, 10);
  }
}

/** Ends in time, whether the provider listens to its signal or not. */
async function completed(
  { provider, model }: ModelOffer,
  call: JudgeCall,
  labels: Readonly<Record<string, string>>,
): Promise<Completion> {
  const { judge: _judge, nonce: _nonce, accept: _accept, signal: over, ...question } = call;
  try {
    return await withDeadline({ ms: CALL_MS, signal: over }, (signal) =>
      provider.complete({ ...question, model, labels, signal }),
    );
  } catch (error) {
    over.throwIfAborted();
    if (error instanceof PluginError) throw error;
    const message = error instanceof DeadlineExceeded ? error.message : 'the call failed';
    throw new PluginError('unavailable', message, { cause: error });
  }
}

const toAmounts = ({ usage }: Completion, price: number | null): Partial<Record<Amount, number>> => ({
  input_tokens: usage.input_tokens ?? 0,
  output_tokens: usage.output_tokens ?? 0,
  ...(price === null ? { unpriced_calls: 1 } : { cost: price }),
});

/** Errors of calls that were made: others say nothing of the provider. */
const wasMade = new WeakSet<PluginError>();

/** Hands the job back; a trial on samples, for which somebody waits, fails. */
const later = ({ project_id }: ModelUse, delayMs: number, why: string): Error =>
  project_id === NO_PROJECT
    ? new PluginError('unavailable', why, { retry_after_seconds: delayMs / 1_000 })
    : new Deferred(undefined, delayMs, why);

const nobodyLends = (why: string): PluginError => new PluginError('unsupported', `${why}: enable it anew`);

const afterAllTries = (error: PluginError): PluginError =>
  new PluginError(error.failure, `${error.message}, in ${MAX_TRIES} tries`, { cause: error });
