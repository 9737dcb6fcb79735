import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import {
  type Completion,
  type CompletionRequest,
  type FinishReason,
  PluginError,
  readJson,
  type TokenUsage,
  z,
} from '../../core/plugin-sdk/index.ts';

export interface GenerateOptions {
  /** Whether the schema is sent; without it the prompt alone says what is wanted. */
  readonly structured?: boolean;
  /** Whether the upstream service may say what the call cost. */
  readonly cost?: boolean;
  readonly providerOptions?: LanguageModelV4CallOptions['providerOptions'];
}

/** Names go into paths: whoever may use an integration chooses the model, not the URL. */
const INVALID_NAME = /\.\.|[?#%\\\s]/;

/**
 * One call of a model of the AI SDK, by the interface that all its adapters share; none of its types goes further.
 * Errors of `httpClient` pass as they are. The adapters' own repeat the request or the reply, so nothing of them is kept.
 */
export async function generate(
  who: string,
  model: LanguageModelV4,
  request: CompletionRequest,
  { structured = true, cost = false, providerOptions }: GenerateOptions = {},
): Promise<Completion> {
  if (INVALID_NAME.test(request.model)) throw new PluginError('unsupported', `${who}: the model's name has invalid characters`);
  try {
    const result = await model.doGenerate({ ...callOptions(request, structured), ...(providerOptions && { providerOptions }) });
    // Some adapters take any object for a reply.
    if (result.content.length === 0 && result.finishReason.raw === undefined) throw unreadable(who);
    return { ...toCompletion(result, request), ...(cost && computeCost(result.response)) };
  } catch (error) {
    request.signal.throwIfAborted();
    throw pluginErrorIn(error) ?? unreadable(who);
  }
}

const unreadable = (who: string) => new PluginError('bad_reply', `${who}: reply has an unknown shape`);

function callOptions(request: CompletionRequest, structured: boolean): LanguageModelV4CallOptions {
  const { system, messages, schema, max_tokens, temperature, top_p, stop, seed, signal } = request;
  const prompt: LanguageModelV4CallOptions['prompt'] = messages.map(({ role, content }) => ({
    role,
    content: [{ type: 'text' as const, text: content }],
  }));
  return {
    prompt: system === undefined ? prompt : [{ role: 'system', content: system }, ...prompt],
    ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(schema && structured && { responseFormat: { type: 'json' as const, name: 'answer', schema } }),
    abortSignal: signal,
  };
}

function toCompletion(result: LanguageModelV4GenerateResult, { model, schema }: CompletionRequest): Completion {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const value = schema ? readJson(z.unknown(), text) : undefined;
  return {
    text,
    ...(value !== undefined && { value }),
    usage: getUsage(result.usage),
    finish_reason: result.finishReason.unified.replace('-', '_') as FinishReason,
    model: result.response?.modelId ?? modelVersionIn(result.response) ?? model,
  };
}

function getUsage({ inputTokens, outputTokens }: LanguageModelV4GenerateResult['usage']): TokenUsage {
  const counts = {
    input_tokens: inputTokens.total,
    cached_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    output_tokens: outputTokens.total,
    reasoning_tokens: outputTokens.reasoning,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

/** Google's name for the model that answered: its adapter does not read it. */
function modelVersionIn(response: LanguageModelV4GenerateResult['response']): string | undefined {
  const { modelVersion } = Object(response?.body) as { modelVersion?: unknown };
  return typeof modelVersion === 'string' ? modelVersion : undefined;
}

/** `usage.cost` of the reply, or the header that LiteLLM's proxy sends; both in US dollars. */
function computeCost(response: LanguageModelV4GenerateResult['response']): { cost?: number } {
  const { usage } = (response?.body ?? {}) as { usage?: { cost?: unknown } | null };
  const cost = usage?.cost ?? Number(response?.headers?.['x-litellm-response-cost'] ?? Number.NaN);
  return typeof cost === 'number' && cost >= 0 ? { cost } : {};
}

function pluginErrorIn(error: unknown): PluginError | undefined {
  if (error instanceof PluginError) return error;
  return error instanceof Error && error.cause !== undefined ? pluginErrorIn(error.cause) : undefined;
}
