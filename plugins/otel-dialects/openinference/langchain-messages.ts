import {
  findFirst,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MessageSide,
  type OtelMessage,
  type SpanReader,
  toOtelMessages,
} from '../../../core/plugin-sdk/index.ts';

/** Classes of messages by the role they stand for. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'user'],
  ['AIMessage', 'assistant'],
  ['AIMessageChunk', 'assistant'],
  ['ToolMessage', 'tool'],
  ['FunctionMessage', 'function'],
]);

const START = /^\{\s*"messages":\s*\[\s*\[\s*\{\s*"lc":/;

/**
 * Messages that LangChain wrote down as it stores objects, `{"messages": [[{"lc": 1, "id": [… "HumanMessage"], "kwargs": {…}}]]}`.
 * Undefined when the value is not a list of `length` such messages of known classes.
 */
export function langchainMessages(reader: SpanReader, key: string, side: MessageSide, length: number): OtelMessage[] | undefined {
  const value = reader.peek(key);
  if (typeof value !== 'string' || !START.test(value)) return undefined;
  const batches = reader.member(key, 'messages');
  const stored = Array.isArray(batches) && batches.length === 1 ? (batches[0] as JsonValue) : undefined;
  if (!Array.isArray(stored) || stored.length !== length) return undefined;
  const messages = stored.map(toMessage);
  if (messages.some((message) => message === undefined)) return undefined;
  return messages.flatMap((message) => toOtelMessages(message!, side));
}

function toMessage(stored: JsonValue): JsonObject | undefined {
  const [path, kwargs] = [findFirst(stored, 'id'), findFirst(stored, 'kwargs')];
  const role = Array.isArray(path) ? ROLES.get(String(path.at(-1))) : undefined;
  if (role === undefined || !isJsonObject(kwargs)) return undefined;
  const { content = '', tool_calls, tool_call_id, name } = kwargs;
  return {
    role,
    // A call of a tool stands in both places.
    content: Array.isArray(content) && tool_calls ? content.filter((part) => findFirst(part, 'type') !== 'tool_use') : content,
    ...(tool_calls !== undefined && { tool_calls }),
    ...(tool_call_id !== undefined && { tool_call_id }),
    ...(name !== undefined && { name }),
  };
}
