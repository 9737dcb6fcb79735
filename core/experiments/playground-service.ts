import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { asPluginError, BudgetSpentError, UnpricedModelError, wordsFor } from '../integrations/provider-failure.ts';
import type { ModelUsage } from '../models/model-call.ts';
import type { ModelGateway, ModelSession } from '../models/model-gateway.ts';
import { PluginError } from '../plugin-sdk/index.ts';
import { toSentParameters } from '../prompts/model-parameters.ts';
import { getModel, givenSettings } from '../prompts/run-settings.ts';
import { toToolCalls } from '../prompts/tool-calls.ts';
import type { PlaygroundCall, PlaygroundReply, Variant, VariantResult } from './playground-call.ts';
import { type PlaygroundEvent, PlaygroundEvents } from './playground-events.ts';
import { promptFor, toModelQuestion } from './row-prompt.ts';

/** For all attempts together, waiting for the provider's turn included. */
const DEADLINE_MS = 120_000;

interface Asking {
  readonly caller: Caller;
  readonly project_id: string;
  readonly signal: AbortSignal;
}

interface Asked {
  readonly variant: Variant;
  readonly prompt: ReturnType<typeof promptFor>;
  readonly signal: AbortSignal;
  readonly onText?: (text: string) => void;
}

export interface PlaygroundDeps {
  readonly modelGateway: Pick<ModelGateway, 'session'>;
  readonly authorizer: Authorizer;
}

/**
 * Tries variants of a prompt side by side, each by one call of a model. Nothing is logged: a run over a dataset makes records. The
 * calls are counted as spending of the project.
 */
export class PlaygroundService {
  readonly #deps: PlaygroundDeps;
  readonly #stopping = new AbortController();

  constructor(deps: PlaygroundDeps) {
    this.#deps = deps;
  }

  /** A variant that fails says so itself; the others go on. `signal` is aborted when nobody waits for the reply any more. */
  async call(caller: Caller, project_id: string, wanted: PlaygroundCall, signal: AbortSignal): Promise<PlaygroundReply> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    return { variants: await Promise.all(this.#callAll({ caller, project_id, signal }, wanted)) };
  }

  /**
   * As `call`, told while it goes on: texts of each variant as its model writes them, then its result or its error. Who stops
   * reading ends the calls; the end of the service ends them with the event `interrupted`.
   */
  async follow(
    caller: Caller,
    project_id: string,
    wanted: PlaygroundCall,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<PlaygroundEvent, void>> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    return this.#events({ caller, project_id, signal }, wanted);
  }

  /** Ends calls that are followed, for good: the service ends. */
  stop(): void {
    this.#stopping.abort();
  }

  async *#events({ signal, ...by }: Asking, wanted: PlaygroundCall): AsyncGenerator<PlaygroundEvent, void> {
    const events = new PlaygroundEvents();
    const gone = new AbortController();
    const stopping = this.#stopping.signal;
    const interrupt = (): void => {
      events.push({ event: 'interrupted', data: { message: 'the service is being stopped' } });
      events.close();
    };
    const all = AbortSignal.any([signal, gone.signal, stopping]);
    events.push({ event: 'start', data: { variants: wanted.variants.length } });
    if (stopping.aborted) interrupt();
    stopping.addEventListener('abort', interrupt, { once: true });
    const calls = this.#callAll({ ...by, signal: all }, wanted, (variant, text) => events.text(variant, text));
    const told = calls.map(async (call, variant) => {
      const result = await call;
      events.push({ event: result.error ? 'error' : 'result', data: { variant, ...result } });
    });
    void Promise.all(told).then(() => {
      if (!stopping.aborted) events.push({ event: 'end', data: {} });
      events.close();
    });
    try {
      yield* events.read();
    } finally {
      gone.abort();
      stopping.removeEventListener('abort', interrupt);
    }
  }

  #callAll(
    { caller, project_id, signal }: Asking,
    { variants, values }: PlaygroundCall,
    onText?: (variant: number, text: string) => void,
  ): Promise<VariantResult>[] {
    const session = this.#deps.modelGateway.session();
    const none = { run_id: null, scorer_id: null, scorer_version_id: null };
    const usage = { purpose: 'playground', user_id: caller.user_id, project_id, ...none } as const;
    return variants.map((variant, at) => {
      const prompt = promptFor({ content: variant.template, raw: false }, values);
      return this.#answered(session, usage, {
        ...{ variant, prompt, signal },
        ...(onText && { onText: (text: string) => onText(at, text) }),
      });
    });
  }

  async #answered(
    session: ModelSession,
    usage: ModelUsage,
    { variant, prompt: { messages, missing }, signal, onText }: Asked,
  ): Promise<VariantResult> {
    const settings = givenSettings(variant.settings);
    const alias = getModel(settings);
    const prompt = { messages: [...messages], missing_variables: [...missing] };
    const started = performance.now();
    const toDuration = (): number => Math.round((performance.now() - started) * 1e6);
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    let isAsked = false;
    try {
      const model = await session.open(usage, alias);
      const options = { signal: AbortSignal.any([signal, deadline]), deadlineMs: DEADLINE_MS, ...(onText && { onText }) };
      const question = toModelQuestion(messages, settings);
      isAsked = true;
      const { completion, cost } = await model.ask(question, options);
      const { text, tool_calls = [], model: answered, finish_reason, usage: tokens, left_out = [] } = completion;
      const numbers = { num_input_tokens: tokens.input_tokens ?? null, num_output_tokens: tokens.output_tokens ?? null };
      return {
        ...prompt,
        output: text,
        tool_calls: toToolCalls(tool_calls),
        model: answered,
        finish_reason,
        parameters: toSentParameters(settings, left_out),
        left_out: [...left_out],
        ...numbers,
        cost,
        duration_ns: toDuration(),
        error: null,
      };
    } catch (thrown) {
      const failure = deadline.aborted ? tooLate() : asPluginError(signal.aborted ? nobodyWaits() : thrown);
      const error = toVariantError(failure, isAsked);
      const nothing = {
        output: null,
        tool_calls: [],
        finish_reason: null,
        parameters: toSentParameters(settings),
        left_out: [],
        num_input_tokens: null,
        num_output_tokens: null,
        cost: null,
      };
      return { ...prompt, ...nothing, model: alias, duration_ns: toDuration(), error };
    }
  }
}

const tooLate = (): PluginError => new PluginError('unavailable', `no answer within ${DEADLINE_MS / 1000} seconds`);

/** The caller ended it: no failure of the service, though nobody reads the reply. */
const nobodyWaits = (): PluginError => new PluginError('unavailable', 'nobody waits for the answer any more');

/** Before a provider is asked the words are the service's own; a provider's are put in those that hold nothing of its reply. */
const toVariantError = (failure: PluginError, isAsked: boolean): NonNullable<VariantResult['error']> => ({
  kind: failure.failure,
  code: getRule(failure),
  message: !isAsked && failure.failure === 'unsupported' ? failure.message : wordsFor(failure),
});

function getRule(failure: PluginError): NonNullable<VariantResult['error']>['code'] {
  if (failure instanceof BudgetSpentError) return 'budget_spent';
  return failure instanceof UnpricedModelError ? 'model_unpriced' : null;
}
