import {
  type FlatList,
  findFirst,
  flatLists,
  type JsonValue,
  type MessageSide,
  type OtelMessage,
  type SpanReader,
  toOtelMessages,
  toStructured,
} from '../../../core/plugin-sdk/index.ts';

type Keys = ReadonlyMap<string, string>;

/** Messages that OpenInference flattened under `prefix`. Undefined when there are none. */
export function openInferenceMessages(reader: SpanReader, prefix: string, side: MessageSide): OtelMessage[] | undefined {
  const messages = reader.list(prefix).flatMap((keys) => {
    const value = messageValue(reader, keys);
    return Object.keys(value).length > 0 ? toOtelMessages(value, side) : [];
  });
  return messages.length > 0 ? messages : undefined;
}

function messageValue(reader: SpanReader, keys: Keys): Readonly<Record<string, JsonValue>> {
  const lists = flatLists(keys);
  const calls = getCalls(reader, lists.get('message.tool_calls') ?? []);
  const told = new Set(calls.map(({ id }) => id));
  // Some senders tell a call in both places.
  const contents = (lists.get('message.contents') ?? [])
    .map((part) => partValue(reader, part))
    .filter(({ type, id }) => type !== 'tool_use' || id === '' || !told.has(id));
  const name = reader.value(keys.get('message.function_call_name'));
  const result = toStructured(reader.value(keys.get('function.0')) ?? null);
  return {
    ...fields(reader, keys, 'message.', ['role', 'content', 'name', 'tool_call_id']),
    ...functionResult(result),
    ...(contents.length > 0 && { content: contents }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(name !== undefined && {
      function_call: { name, arguments: reader.value(keys.get('message.function_call_arguments_json')) ?? null },
    }),
  };
}

/** AutoGen's instrumentation tells what a tool gave beside the message, as JSON. */
function functionResult(result: JsonValue): Readonly<Record<string, JsonValue>> {
  const [content, callId, name] = [findFirst(result, 'content'), findFirst(result, 'call_id'), findFirst(result, 'name')];
  if (content === undefined || callId === undefined) return {};
  return { role: 'tool', content, tool_call_id: callId, ...(name !== undefined && { name }) };
}

function partValue(reader: SpanReader, keys: Keys): Readonly<Record<string, JsonValue>> {
  const [call] = getCalls(reader, [keys]);
  const { type, text } = fields(reader, keys, 'message_content.', ['type', 'text']);
  if (call !== undefined) return { type: 'tool_use', ...call };
  // Senders may put anything there; only a text can be part of a key.
  const url = typeof type === 'string' ? reader.value(keys.get(`message_content.${type}.${type}.url`)) : undefined;
  return { type: type ?? 'text', ...(text !== undefined && { text }), ...(url !== undefined && { url }) };
}

const getCalls = (reader: SpanReader, items: FlatList<string>): Readonly<Record<string, JsonValue>>[] =>
  items.flatMap((keys) => {
    const { id } = fields(reader, keys, 'tool_call.', ['id']);
    const called = fields(reader, keys, 'tool_call.function.', ['name', 'arguments']);
    return id === undefined && called.name === undefined ? [] : [{ ...called, id: id ?? '' }];
  });

function fields(reader: SpanReader, keys: Keys, prefix: string, names: readonly string[]): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = reader.value(keys.get(prefix + name));
    if (value !== undefined) found[name] = value;
  }
  return found;
}
