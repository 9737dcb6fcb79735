import {
  isJsonObject,
  type MessageSide,
  messagesAt,
  type OtelMessage,
  type Source,
  type SpanReader,
  source,
  toOtelMessages,
} from '../../../core/plugin-sdk/index.ts';
import { langchainMessages } from './langchain-messages.ts';
import { openInferenceMessages } from './messages.ts';
import { pythonMessages } from './python-messages.ts';

type Messages = Source<readonly OtelMessage[]>;

export const INPUT_MESSAGES: readonly Messages[] = [
  source(3, (reader) => automaticCalls(reader) ?? flattened(reader, 'input')),
  source(8, (reader) => texts(reader, 'llm.prompts', 'prompt.text', 'user')),
  source(9.5, (reader) => pythonMessages(reader, 'input.value', 'input')),
  messagesAt(10.3, 'input.value', 'input'),
];

export const OUTPUT_MESSAGES: readonly Messages[] = [
  source(3, (reader) => flattened(reader, 'output')),
  source(8, (reader) => texts(reader, 'llm.choices', 'completion.text', 'assistant')),
  source(9.5, (reader) => pythonMessages(reader, 'output.value', 'output')),
  messagesAt(10.3, 'output.value', 'output'),
];

const HISTORY = 'automatic_function_calling_history';

/** Gemini's client calls functions by itself, and has one span for all of that: its last question to the model stands in what it returned. */
function automaticCalls(reader: SpanReader): OtelMessage[] | undefined {
  if (reader.peek('llm.provider') !== 'google' || !reader.peekText('output.value')?.includes(HISTORY)) return undefined;
  const history = reader.member('output.value', HISTORY);
  if (!Array.isArray(history) || history.length === 0 || !history.every(isJsonObject)) return undefined;
  const rules = openInferenceMessages(reader, 'llm.input_messages', 'input')?.filter(({ role }) => role === 'system') ?? [];
  return [...rules, ...history.flatMap((content) => toOtelMessages(content, 'input'))];
}

const HAYSTACK = { input: '{"messages": ["ChatMessage(_role=', output: '{"replies": ["ChatMessage(_role=' };

/**
 * Flattened, messages of Haystack lack what tools were given and what they gave, and those of LangChain in JavaScript what is not a
 * single text, and which call a tool's result is of. Such are read from the value, of which what is flattened says no more.
 */
function flattened(reader: SpanReader, side: MessageSide): OtelMessage[] | undefined {
  const messages = openInferenceMessages(reader, `llm.${side}_messages`, side);
  const key = `${side}.value`;
  const value = reader.peek(key);
  const isHaystack = typeof value === 'string' && value.startsWith(HAYSTACK[side]);
  const whole = isHaystack
    ? pythonMessages(reader, key, side)
    : messages?.some(isHollow)
      ? langchainMessages(reader, key, side, reader.list(`llm.${side}_messages`).length)
      : undefined;
  return whole ?? messages;
}

const isHollow = ({ role, content, tool_calls, tool_call_id }: OtelMessage): boolean =>
  (content === '' && tool_calls === undefined) || (role === 'tool' && tool_call_id === undefined);

function texts(reader: SpanReader, prefix: string, rest: string, role: string) {
  const found = reader.list(prefix).flatMap((item) => reader.text(item.get(rest)) ?? []);
  return found.length > 0 ? found.map((content) => ({ role, content })) : undefined;
}
