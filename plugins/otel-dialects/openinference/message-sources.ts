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

/** Flattened, messages of Haystack lack what tools were given and what they gave, so they are read from its values; what is flattened says no more. */
function flattened(reader: SpanReader, side: MessageSide): OtelMessage[] | undefined {
  const messages = openInferenceMessages(reader, `llm.${side}_messages`, side);
  const value = reader.peek(`${side}.value`);
  const isHaystack = typeof value === 'string' && value.startsWith(HAYSTACK[side]);
  return (isHaystack ? pythonMessages(reader, `${side}.value`, side) : undefined) ?? messages;
}

function texts(reader: SpanReader, prefix: string, rest: string, role: string) {
  const found = reader.list(prefix).flatMap((item) => reader.text(item.get(rest)) ?? []);
  return found.length > 0 ? found.map((content) => ({ role, content })) : undefined;
}
