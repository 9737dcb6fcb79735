import type { ModelDirectory } from '../integrations/model-directory.ts';
import { asPluginError, wordsFor } from '../integrations/provider-failure.ts';
import { withDeadline } from '../kernel/deadline.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import type { Completion, CompletionRequest, PluginError } from '../plugin-sdk/index.ts';
import { MAX_TRIES, type Patience, waitAfter } from '../scorers/lending/attempts.ts';
import { CallGate } from '../scorers/lending/call-gate.ts';

export interface ModelCallerDeps {
  readonly modelDirectory: Pick<ModelDirectory, 'offer'>;
  readonly priceBook: {
    computeCost(completion: Completion, call: { readonly provider: string; readonly at: string }): number | null;
  };
  readonly patience: Patience;
  readonly clock: Clock;
}

export interface Answer {
  readonly completion: Completion;
  /** US dollars; null when the model's price is not known. */
  readonly cost: number | null;
}

type Question = Omit<CompletionRequest, 'model' | 'signal'>;
/** Rejects with a PluginError when there is no answer after all tries, with the signal's reason when that is aborted. */
export type AskModel = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** How long one call may take. */
const CALL_MS = 120_000;

/** Opens models of users, and asks them as often and as fast as their providers let it. */
export class ModelCaller {
  readonly #deps: ModelCallerDeps;
  readonly #gates = new Map<string, CallGate>();

  constructor(deps: ModelCallerDeps) {
    this.#deps = deps;
  }

  /** Rejects with AppError `unusable` when none of the user's integrations offers the model, `unavailable` when that may pass. */
  async open(user_id: string, alias: string): Promise<AskModel> {
    const offer = await this.#deps.modelDirectory.offer(user_id, alias).catch((error: unknown) => {
      throw notOffered(asPluginError(error));
    });
    const gate = this.#gates.get(offer.integration.id) ?? new CallGate();
    this.#gates.set(offer.integration.id, gate);
    return (question, signal) => this.#ask(offer, gate, question, signal);
  }

  async #ask(offer: Offer, gate: CallGate, question: Question, signal: AbortSignal): Promise<Answer> {
    const { patience, priceBook, clock } = this.#deps;
    for (let tries = 0; ; tries += 1) {
      try {
        const completion = await gate.through(signal, () => askedOnce(offer, question, signal));
        gate.wentWell();
        const at = clock().toISOString();
        return { completion, cost: priceBook.computeCost(completion, { provider: offer.integration.provider, at }) };
      } catch (error) {
        signal.throwIfAborted();
        const failure = asPluginError(error);
        if (failure.failure === 'rate_limited') gate.slowDown();
        if (!failure.retryable || tries + 1 === MAX_TRIES) throw failure;
        await patience.sleep(waitAfter(tries, failure, patience.random()), signal);
      }
    }
  }
}

function notOffered(failure: PluginError): AppError {
  if (failure.retryable) return new AppError('unavailable', 'model_unavailable', wordsFor(failure), { cause: failure });
  const words = failure.failure === 'unsupported' ? failure.message : wordsFor(failure);
  return new AppError('unusable', 'model_not_offered', words, { cause: failure });
}

type Offer = Awaited<ReturnType<ModelDirectory['offer']>>;

/** Ends in time, whether the plugin listens to its signal or not. */
async function askedOnce({ provider, model }: Offer, question: Question, signal: AbortSignal): Promise<Completion> {
  return withDeadline({ ms: CALL_MS, signal }, (inTime) => provider.complete({ ...question, model, signal: inTime }));
}
