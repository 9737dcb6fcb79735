import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import {
  type Completion,
  type CompletionPart,
  type CompletionRequest,
  type FinishReason,
  type HttpClient,
  type ModelParameter,
  type OptionalParameter,
  PluginError,
  type ProviderFeature,
  readJson,
  z,
} from '../../core/plugin-sdk/index.ts';
import { getUsage, modelVersionIn } from './ai-sdk-reply.ts';
import { toCallOptions } from './ai-sdk-request.ts';
import { StreamedCompletion } from './ai-sdk-stream.ts';
import { findUnsent, requireSentParameters } from './sent-parameters.ts';

export interface GenerateOptions {
  /** Whether the schema is sent; without it the prompt alone says what is wanted. */
  readonly structured?: boolean;
  /** Whether the upstream service takes schemas; else JSON of any form. */
  readonly schemas?: boolean;
  /** Whether the upstream service may say what the call cost. */
  readonly cost?: boolean;
  readonly providerOptions?: LanguageModelV4CallOptions['providerOptions'];
  /** Parameters that only some services have and that this one takes. */
  readonly parameters?: readonly OptionalParameter[];
}

type Warnings = LanguageModelV4GenerateResult['warnings'];

/** Parts of a request that every adapter of the AI SDK sends. */
export const AI_SDK_FEATURES: readonly ProviderFeature[] = ['tools', 'response_format'];
/** Parameters of the chat-completions protocol, as OpenAI has it and others took it over. */
export const CHAT_PARAMETERS: readonly OptionalParameter[] = [
  'frequency_penalty',
  'presence_penalty',
  'reasoning_effort',
  'verbosity',
];

/** Names go into paths: whoever may use an integration chooses the model, not the URL. */
const INVALID_NAME = /\.\.|[?#%\\\s]/;

/** Makes a model for a request, which is asked by the `fetch` that is given. */
type OpenModel = (request: CompletionRequest, fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>;

/** Both calls of a provider whose models an adapter of the AI SDK asks. */
export const aiSdkCalls = (who: string, { fetch, stream }: HttpClient, open: OpenModel, options: GenerateOptions = {}) => ({
  supports: [...AI_SDK_FEATURES, ...(options.parameters ?? [])],
  complete: async (request: CompletionRequest): Promise<Completion> => {
    const check = checkingBody(who, request, fetch);
    const completion = await generate(who, await open(request, check.fetch), request, options);
    return { ...completion, ...check.leftOut() };
  },
  async *stream(request: CompletionRequest): AsyncGenerator<CompletionPart, void> {
    const check = checkingBody(who, request, stream);
    for await (const part of generateParts(who, await open(request, check.fetch), request, options))
      yield part.type === 'end' ? { ...part, completion: { ...part.completion, ...check.leftOut() } } : part;
  },
});

/** A `fetch` that looks into a body before it is sent: nothing is asked, and paid, without a parameter that is required. */
function checkingBody(who: string, request: CompletionRequest, fetch: typeof globalThis.fetch) {
  let unsent: readonly ModelParameter[] = [];
  return {
    fetch: (async (input, init) => {
      if (typeof init?.body === 'string') unsent = findUnsent(request, readJson(z.unknown(), init.body));
      requireSentParameters(who, request, unsent);
      return fetch(input, init);
    }) as typeof globalThis.fetch,
    leftOut: (): Pick<Completion, 'left_out'> => (unsent.length > 0 ? { left_out: unsent } : {}),
  };
}

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
  requireAskable(who, request, schemas);
  try {
    const result = await model.doGenerate(toCallOptions(request, { structured, providerOptions }));
    requireSent(who, request, result.warnings);
    // Some adapters take any object for a reply.
    if (result.content.length === 0 && result.finishReason.raw === undefined) throw unreadable(who);
    return { ...toCompletion(result, request), ...(cost && computeCost(result.response)) };
  } catch (error) {
    request.signal.throwIfAborted();
    throw pluginErrorIn(error) ?? unreadable(who);
  }
}

/** As `generate`, while the model writes. */
async function* generateParts(
  who: string,
  model: LanguageModelV4,
  request: CompletionRequest,
  { structured = true, schemas = true, cost = false, providerOptions }: GenerateOptions,
): AsyncGenerator<CompletionPart, void> {
  requireAskable(who, request, schemas);
  try {
    const options = toCallOptions(request, { structured, providerOptions });
    const { stream, response } = await model.doStream({ ...options, includeRawChunks: true });
    const reply = new StreamedCompletion(request);
    for await (const part of stream) {
      if (part.type === 'stream-start') requireSent(who, request, part.warnings);
      if (part.type === 'error') throw part.error;
      const text = reply.add(part);
      if (text !== '') yield { type: 'text', text };
    }
    const completion = reply.toCompletion();
    if (!completion) throw unreadable(who);
    yield { type: 'end', completion: { ...completion, ...(cost && computeCost({ ...response, body: reply.lastBody })) } };
  } catch (error) {
    request.signal.throwIfAborted();
    throw pluginErrorIn(error) ?? unreadable(who);
  }
}

const unreadable = (who: string) => new PluginError('bad_reply', `${who}: reply has an unknown shape`);

function requireAskable(who: string, request: CompletionRequest, schemas: boolean): void {
  if (INVALID_NAME.test(request.model)) throw new PluginError('unsupported', `${who}: the model's name has invalid characters`);
  if (request.response_format?.schema && !schemas)
    throw new PluginError('unsupported', `${who}: JSON of a schema cannot be asked for, as it is set up`);
}

/** An adapter only warns of what it leaves out. */
function requireSent(who: string, { response_format }: CompletionRequest, warnings: Warnings): void {
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
