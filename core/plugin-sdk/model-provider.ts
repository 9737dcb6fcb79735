import type { z } from 'zod';
import type { ModelParameter } from './model-parameters.ts';
import type { PriceList } from './model-price.ts';
import type { ModelTool, ProviderFeature, ResponseFormat, ToolCall, ToolChoice } from './model-tools.ts';
import type { PluginHead, PluginHost } from './plugin.ts';

/** A picture, a sound or a document that goes with a message. */
export interface MessageFile {
  /** Of the bytes: `image/png`, `application/pdf`. */
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/** A message without files. */
export interface TextMessage {
  /** `tool`, the result of a call, is sent only to providers that support `tools`. */
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an assistant: the calls that it asked for. */
  readonly tool_calls?: readonly ToolCall[];
  /** Of a tool, where it always stands: the call that this is the result of. */
  readonly tool_call_id?: string;
  /** Of a tool, where it always stands. */
  readonly tool_name?: string;
}

export interface ModelMessage extends TextMessage {
  /** Files of a user's message; they follow its text, in this order. Only for models whose `files` take them. */
  readonly files?: readonly MessageFile[];
}

export interface CompletionRequest {
  /** A name that `models` offers, or one that the upstream service knows beside them. */
  readonly model: string;
  readonly system?: string;
  /** At least one; the last is the user's, or the result of a tool. All of them are sent, in this order, with their roles, character by character. */
  readonly messages: readonly ModelMessage[];
  /**
   * JSON Schema the answer has to match, an object without other properties and all of them required: some providers take
   * nothing else. A provider without structured answers ignores it, so the prompt has to name the form too.
   */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Given only to a provider that supports `response_format`, and never beside `schema`; sent as it is. */
  readonly response_format?: ResponseFormat;
  /** At least one where given. Given only to a provider that supports `tools`; all of them are sent. */
  readonly tools?: readonly ModelTool[];
  /** Given only beside `tools`. */
  readonly tool_choice?: ToolChoice;
  /** The most tokens of output; a reply that was cut there has the `finish_reason` `length`. */
  readonly max_tokens?: number;
  /** Sent as it is; some models refuse it, so give it only to one that takes it. */
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** This and what follows is given only to a provider that supports it by this name. */
  readonly top_k?: number;
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  /** How much the model is to think before it answers: a word of the service's own, usually `none` to `high`. */
  readonly reasoning_effort?: string;
  /** How much the model is to write: a word of the service's own, usually `low`, `medium` or `high`. */
  readonly verbosity?: string;
  /**
   * Parameters of this request that the answer is worth nothing without: where the model takes one of them not, the call MUST be refused, before it is made
   * where that is known, by a PluginError `unsupported` with its `parameter`. Those that are not named here may be left out.
   */
  readonly required?: readonly ModelParameter[];
  /** Labels of the call (`project_id`, `run_id`); sent to the provider only as headers that the settings ask for. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Token counts as the service reported them: whole numbers, 0 or more. A count that it did not report is absent, never 0. */
export interface TokenUsage {
  /** All input, cached or not. */
  readonly input_tokens?: number;
  /** The part of the input that was read from a cache. */
  readonly cached_tokens?: number;
  /** The part of the input that was written to a cache. */
  readonly cache_write_tokens?: number;
  /** All output, reasoning or not. */
  readonly output_tokens?: number;
  /** The part of the output that was reasoning. */
  readonly reasoning_tokens?: number;
}

/**
 * Why the output ended. `stop`: the model was done, or met a stop sequence; `length`: cut at the token limit; `tool_calls`: it
 * wants to call a tool; `content_filter`: refused or filtered; `error`: the service says that it failed midway; `other`: anything else.
 */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error' | 'other';

/** One reply of a model, made anew for each call. */
export interface Completion {
  /** Exactly what the model wrote, not trimmed; empty when it wrote nothing, which is no error. */
  readonly text: string;
  /** The text read as JSON, only when a schema was given and the text is JSON. Whether it matches the schema is for the caller to check. */
  readonly value?: unknown;
  /** Calls of tools that the model asks for, in its order; absent where there are none. */
  readonly tool_calls?: readonly ToolCall[];
  readonly usage: TokenUsage;
  readonly finish_reason: FinishReason;
  /** The model's name as the provider answered it, else as it was asked for; an alias may have moved. */
  readonly model: string;
  /** Cost of the call as the provider reports it, in US dollars. */
  readonly cost?: number;
  /** Parameters of the request that were not sent, as the model does not take them; absent where all were, or where nobody knows. */
  readonly left_out?: readonly ModelParameter[];
}

/** A part of a reply that is read while the model writes it: a text, or at last the whole. */
export type CompletionPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'end'; readonly completion: Completion };

export interface OfferedModel {
  /** Name that `complete` takes. */
  readonly name: string;
  /** The name to show; the same where absent. */
  readonly alias?: string;
  /** Whether it answers text with text, and so can judge. */
  readonly for_scorers: boolean;
  /** Kinds of input that it reads: `text`, `image`, `audio` or others. Text alone where absent. */
  readonly input_modalities?: readonly string[];
  /** Files that `complete` sends to it with messages; none where absent. */
  readonly files?: ReadableFiles;
}

/** Files that a model reads. */
export interface ReadableFiles {
  /** At least one, in lower case, without parameters. */
  readonly media_types: readonly string[];
  /** The most files of one call; any number where absent. */
  readonly max_files?: number;
  /** The most bytes of one file; any where absent. */
  readonly max_file_bytes?: number;
}

/**
 * Every method MUST pass `signal` on to each request it makes, reject with the signal's reason once it is aborted, and
 * MUST throw a PluginError, never a bare Error, when the upstream service fails. Retries, time limits, caches and limits of calls in
 * flight are the host's: each method makes each request once, and two calls at a time know nothing of each other. A provider
 * keeps nothing outside of what `create` returned, changes nothing that it is given, and rejects at once, without a request, when
 * the signal is aborted already.
 */
export interface ModelProvider {
  /** The optional parts of a request that `complete` sends. A request with another one is refused by the host. */
  readonly supports?: readonly ProviderFeature[];
  /** Asks the model once. */
  complete(request: CompletionRequest): Promise<Completion>;
  /**
   * As `complete`, while the model writes: texts in their order, which together are the text of the completion, then once the end.
   * Who stops reading ends the request. Without it the host takes the answer of `complete` as one text.
   */
  stream?(request: CompletionRequest): AsyncIterable<CompletionPart>;
  /**
   * Lists the models that the settings name, else those that the upstream service offers: each name once, in any order,
   * as the host sorts them.
   */
  models(signal: AbortSignal): Promise<readonly OfferedModel[]>;
  /** A cheap call that fails as `complete` would with wrong credentials or a URL that does not respond. */
  check(signal: AbortSignal): Promise<void>;
}

/** The HTTP route `PUT /v2/integrations/<id>` of a provider is made of its id, label, summary and settings. */
export interface ModelProviderPlugin<S extends z.ZodType = z.ZodType> extends PluginHead {
  readonly kind: 'model_provider';
  /** The name to show. */
  readonly label: string;
  /** Settings of an integration: the body of the route. Marks secrets by `secret`, and prints as JSON Schema. */
  readonly settings: S;
  /** Former paths below `/v2/integrations/` that are still served: `acme/gateway`. */
  readonly former_paths?: readonly string[];
  /**
   * List prices of its models, for calls whose cost it does not report. The operator's own prices go before.
   */
  readonly prices?: PriceList;
  /** Makes no request. */
  create(host: PluginHost, settings: z.output<S>): ModelProvider;
}

export function defineModelProvider<S extends z.ZodType>(plugin: Omit<ModelProviderPlugin<S>, 'kind'>): ModelProviderPlugin<S> {
  const { prices } = plugin;
  // Anything but a list is left to the host to refuse.
  const rows = Array.isArray(prices?.rows) ? Object.freeze(prices.rows.map((row) => Object.freeze({ ...row }))) : undefined;
  const frozen = prices && rows && { prices: Object.freeze({ ...prices, rows }) };
  return Object.freeze({ ...plugin, ...frozen, kind: 'model_provider' as const });
}
