import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import {
  type CompletionRequest,
  type MessageFile,
  type ModelMessage,
  type ResponseFormat,
  readJson,
  type ToolCall,
  type ToolChoice,
  z,
} from '../../core/plugin-sdk/index.ts';

interface RequestOptions {
  /** Whether a schema is sent. */
  readonly structured: boolean;
  readonly providerOptions?: LanguageModelV4CallOptions['providerOptions'];
}

type Schema = NonNullable<Extract<LanguageModelV4CallOptions['responseFormat'], { type: 'json' }>['schema']>;

/** A request as adapters of the AI SDK take it. */
export function toCallOptions(
  request: CompletionRequest,
  { structured, providerOptions }: RequestOptions,
): LanguageModelV4CallOptions {
  const { system, messages, schema, response_format, tools, tool_choice, signal } = request;
  const { max_tokens, temperature, top_p, top_k, frequency_penalty, presence_penalty, stop, seed } = request;
  const prompt = messages.map(toMessage);
  return {
    prompt: system === undefined ? prompt : [{ role: 'system', content: system }, ...prompt],
    ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(frequency_penalty !== undefined && { frequencyPenalty: frequency_penalty }),
    ...(presence_penalty !== undefined && { presencePenalty: presence_penalty }),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(seed !== undefined && { seed }),
    ...(schema && structured && { responseFormat: { type: 'json' as const, name: 'answer', schema: schema as Schema } }),
    ...(response_format && { responseFormat: toResponseFormat(response_format) }),
    ...(tools && {
      tools: tools.map(({ parameters, ...tool }) => ({
        type: 'function' as const,
        ...tool,
        inputSchema: parameters as Schema,
      })),
    }),
    ...(tool_choice && { toolChoice: toToolChoice(tool_choice) }),
    ...toReasoning(request),
    ...toProviderOptions(providerOptions, request),
    abortSignal: signal,
  };
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  const { role, content, files = [], tool_calls = [], tool_call_id = '', tool_name = '' } = message;
  const text = { type: 'text' as const, text: content };
  if (role === 'user') return { role, content: [text, ...files.map(toFilePart)] };
  if (role === 'assistant') {
    const calls = tool_calls.map(toCallPart);
    return { role, content: content === '' && calls.length > 0 ? calls : [text, ...calls] };
  }
  const output = { type: 'text' as const, value: content };
  return { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName: tool_name, output }] };
}

const toFilePart = ({ media_type, bytes }: MessageFile) => ({
  type: 'file' as const,
  mediaType: media_type,
  data: { type: 'data' as const, data: bytes },
});

/** Adapters write arguments as JSON themselves; those that are none go as the text that they are. */
const toCallPart = ({ id, name, arguments: written }: ToolCall) => ({
  type: 'tool-call' as const,
  toolCallId: id,
  toolName: name,
  input: readJson(z.unknown(), written) ?? written,
});

const toToolChoice = (choice: ToolChoice): NonNullable<LanguageModelV4CallOptions['toolChoice']> =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name };

const toResponseFormat = ({ schema, name, description }: ResponseFormat): LanguageModelV4CallOptions['responseFormat'] => ({
  type: 'json',
  ...(schema && { schema: schema as Schema }),
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
});

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Adapters map these words to what their models have. */
function toReasoning({ reasoning_effort }: CompletionRequest): Pick<LanguageModelV4CallOptions, 'reasoning'> {
  const reasoning = EFFORTS.find((one) => one === reasoning_effort);
  return reasoning ? { reasoning } : {};
}

/** The namespaces in which adapters look for whether a schema is strict; by themselves some of them make every one strict. */
const STRICT_OF = ['openai', 'openaiCompatible', 'mistral'];
/** Those of adapters that know of verbosity. */
const VERBOSITY_OF = ['openai', 'openaiCompatible'];

function toProviderOptions(
  given: LanguageModelV4CallOptions['providerOptions'],
  { response_format, verbosity, reasoning_effort }: CompletionRequest,
): Pick<LanguageModelV4CallOptions, 'providerOptions'> {
  const options = new Map(Object.entries(given ?? {}));
  const add = (name: string, more: Record<string, string | boolean>) => options.set(name, { ...options.get(name), ...more });
  if (response_format?.schema) for (const name of STRICT_OF) add(name, { strictJsonSchema: response_format.strict ?? false });
  if (verbosity !== undefined) for (const name of VERBOSITY_OF) add(name, { textVerbosity: verbosity });
  // Servers of this protocol have words of their own.
  if (reasoning_effort !== undefined) add('openaiCompatible', { reasoningEffort: reasoning_effort });
  return options.size > 0 ? { providerOptions: Object.fromEntries(options) } : {};
}
