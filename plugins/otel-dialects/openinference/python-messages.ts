import {
  getOwn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MessageSide,
  type OtelMessage,
  type SpanReader,
  toOtelMessages,
} from '../../../core/plugin-sdk/index.ts';
import { CLASS, parsePython } from './python-notation.ts';

/** Lists of messages in what Haystack and LlamaIndex call their input and output. */
const LISTS = ['messages', 'replies', 'chat_history'];
const MESSAGE = 'ChatMessage';

/**
 * Messages that a sender wrote down as objects of Python, inside the JSON of its input or output. The attribute counts as unused, since
 * messages say more of themselves than is read. Undefined where a message is cut off, or has a part that is not known: it stays as it came.
 */
export function pythonMessages(reader: SpanReader, key: string, side: MessageSide): OtelMessage[] | undefined {
  if (!reader.peekText(key)?.includes(`["${MESSAGE}(`)) return undefined;
  for (const list of LISTS) {
    const written = reader.member(key, list);
    if (!Array.isArray(written) || written.length === 0) continue;
    const read = (written as readonly JsonValue[]).map(readMessage);
    if (read.every((one) => one !== undefined)) return read.flatMap((message) => toOtelMessages(message, side));
  }
  return undefined;
}

function readMessage(written: JsonValue): JsonObject | undefined {
  const read = typeof written === 'string' ? parsePython(written) : undefined;
  if (!isJsonObject(read) || getOwn(read, CLASS) !== MESSAGE) return undefined;
  const field = (name: string): JsonValue => getOwn(read, `_${name}`) ?? getOwn(read, name) ?? null;
  const parts = getOwn(read, '_content') ?? getOwn(read, 'blocks');
  if (!Array.isArray(parts) || typeof field('role') !== 'string') return undefined;
  const made = (parts as readonly JsonValue[]).map(readPart);
  if (!made.every((part) => part !== undefined)) return undefined;
  const extra = field('additional_kwargs');
  const callId = isJsonObject(extra) ? getOwn(extra, 'tool_call_id') : undefined;
  return {
    role: field('role'),
    content: made,
    ...(field('name') !== null && { name: field('name') }),
    ...(callId !== undefined && { tool_call_id: callId }),
  } as JsonObject;
}

/** Parts by the name of their class; undefined for any other. */
const PARTS: Readonly<Record<string, (part: JsonObject) => JsonValue>> = {
  TextContent: ({ text }) => ({ type: 'text', text: text ?? '' }),
  TextBlock: ({ text }) => ({ type: 'text', text: text ?? '' }),
  ToolCall: ({ id, tool_name, arguments: given }) => toCall(id, tool_name, given),
  ToolCallBlock: ({ tool_call_id, tool_name, tool_kwargs }) => toCall(tool_call_id, tool_name, tool_kwargs),
  ToolCallResult: ({ result, origin }) => ({
    type: 'tool_result',
    content: result ?? null,
    tool_use_id: (isJsonObject(origin) ? getOwn(origin, 'id') : undefined) ?? null,
  }),
};

const toCall = (id: JsonValue | undefined, name: JsonValue | undefined, given: JsonValue | undefined): JsonValue => ({
  type: 'tool_use',
  id: id ?? '',
  name: name ?? '',
  input: given ?? null,
});

function readPart(part: JsonValue): JsonValue | undefined {
  const name = isJsonObject(part) ? getOwn(part, CLASS) : undefined;
  if (typeof name !== 'string' || !Object.hasOwn(PARTS, name)) return undefined;
  return PARTS[name]!(part as JsonObject);
}
