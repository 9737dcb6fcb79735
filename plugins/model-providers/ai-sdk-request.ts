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
  const { max_tokens, temperature, top_p, stop, seed } = request;
  const prompt = messages.map(toMessage);
  return {
    prompt: system === undefined ? prompt : [{ role: 'system', content: system }, ...prompt],
    ...(max_tokens !== undefined && { maxOutputTokens: max_tokens }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
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
    ...toProviderOptions(providerOptions, response_format),
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

/** The namespaces in which adapters look for whether a schema is strict; by themselves some of them make every one strict. */
const STRICT_OF = ['openai', 'openaiCompatible', 'mistral'];

function toProviderOptions(
  given: LanguageModelV4CallOptions['providerOptions'],
  format: ResponseFormat | undefined,
): Pick<LanguageModelV4CallOptions, 'providerOptions'> {
  if (!format?.schema) return given ? { providerOptions: given } : {};
  const strictJsonSchema = format.strict ?? false;
  return {
    providerOptions: { ...given, ...Object.fromEntries(STRICT_OF.map((name) => [name, { ...given?.[name], strictJsonSchema }])) },
  };
}
