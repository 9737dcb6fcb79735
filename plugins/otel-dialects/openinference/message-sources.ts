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
  source(2.8, (reader) => automaticCalls(reader)),
  source(2.9, (reader) => haystackMessages(reader, 'input')),
  source(3, (reader) => openInferenceMessages(reader, 'llm.input_messages', 'input')),
  source(8, (reader) => texts(reader, 'llm.prompts', 'prompt.text', 'user')),
  source(9.5, (reader) => pythonMessages(reader, 'input.value', 'input')),
  messagesAt(10.3, 'input.value', 'input'),
];

export const OUTPUT_MESSAGES: readonly Messages[] = [
  source(2.9, (reader) => haystackMessages(reader, 'output')),
  source(3, (reader) => openInferenceMessages(reader, 'llm.output_messages', 'output')),
  source(8, (reader) => texts(reader, 'llm.choices', 'completion.text', 'assistant')),
  source(9.5, (reader) => pythonMessages(reader, 'output.value', 'output')),
  messagesAt(10.3, 'output.value', 'output'),
];

const HISTORY = 'automatic_function_calling_history';

/** Gemini's client calls functions by itself, and has one span for all of that: its last question to the model stands in what it returned. */
function automaticCalls(reader: SpanReader): OtelMessage[] | undefined {
  if (!reader.peekText('output.value')?.includes(HISTORY)) return undefined;
  const history = reader.member('output.value', HISTORY);
  if (!Array.isArray(history) || history.length === 0 || !history.every(isJsonObject)) return undefined;
  const rules = openInferenceMessages(reader, 'llm.input_messages', 'input')?.filter(({ role }) => role === 'system') ?? [];
  return [...rules, ...history.flatMap((content) => toOtelMessages(content, 'input'))];
}

/** Flattened, messages of Haystack lack what tools were given and what they gave. The flattened ones count as used: these say all that they do. */
function haystackMessages(reader: SpanReader, side: MessageSide): OtelMessage[] | undefined {
  const messages = pythonMessages(reader, `${side}.value`, side, 'ChatMessage(_role=');
  if (messages) openInferenceMessages(reader, `llm.${side}_messages`, side);
  return messages;
}

function texts(reader: SpanReader, prefix: string, rest: string, role: string) {
  const found = reader.list(prefix).flatMap((item) => reader.text(item.get(rest)) ?? []);
  return found.length > 0 ? found.map((content) => ({ role, content })) : undefined;
}
