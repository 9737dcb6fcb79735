import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import {
  type Completion,
  type CompletionRequest,
  type FinishReason,
  PluginError,
  type ProviderFeature,
  readJson,
  type TokenUsage,
  z,
} from '../../core/plugin-sdk/index.ts';
import { toCallOptions } from './ai-sdk-request.ts';

export interface GenerateOptions {
  /** Whether the schema is sent; without it the prompt alone says what is wanted. */
  readonly structured?: boolean;
  /** Whether the upstream service takes schemas; else JSON of any form. */
  readonly schemas?: boolean;
  /** Whether the upstream service may say what the call cost. */
  readonly cost?: boolean;
  readonly providerOptions?: LanguageModelV4CallOptions['providerOptions'];
}

/** Parts of a request that every adapter of the AI SDK sends. */
export const AI_SDK_FEATURES: readonly ProviderFeature[] = ['tools', 'response_format'];

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
  { structured = true, schemas = true, cost = false, providerOptions }: GenerateOptions = {},
): Promise<Completion> {
  if (INVALID_NAME.test(request.model)) throw new PluginError('unsupported', `${who}: the model's name has invalid characters`);
  if (request.response_format?.schema && !schemas)
    throw new PluginError('unsupported', `${who}: JSON of a schema cannot be asked for, as it is set up`);
  try {
    const result = await model.doGenerate(toCallOptions(request, { structured, providerOptions }));
    requireSent(who, request, result);
    // Some adapters take any object for a reply.
    if (result.content.length === 0 && result.finishReason.raw === undefined) throw unreadable(who);
    return { ...toCompletion(result, request), ...(cost && computeCost(result.response)) };
  } catch (error) {
    request.signal.throwIfAborted();
    throw pluginErrorIn(error) ?? unreadable(who);
  }
}

const unreadable = (who: string) => new PluginError('bad_reply', `${who}: reply has an unknown shape`);

/** An adapter only warns of what it leaves out. */
function requireSent(who: string, { response_format }: CompletionRequest, { warnings }: LanguageModelV4GenerateResult): void {
  const left = warnings.flatMap((one) => (one.type === 'unsupported' ? [one.feature] : []));
  const isFormatLost = response_format !== undefined && !response_format.schema && left.includes('responseFormat');
  if (left.includes('tools') || left.includes('toolChoice') || isFormatLost)
    throw new PluginError('unsupported', `${who}: the model takes no ${isFormatLost ? 'JSON without a schema' : 'such tools'}`);
}

function toCompletion(result: LanguageModelV4GenerateResult, { model, schema }: CompletionRequest): Completion {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const tool_calls = result.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }] : [],
  );
  const value = schema ? readJson(z.unknown(), text) : undefined;
  return {
    text,
    ...(value !== undefined && { value }),
    ...(tool_calls.length > 0 && { tool_calls }),
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
