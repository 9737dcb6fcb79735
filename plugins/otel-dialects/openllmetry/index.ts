import {
  countAt,
  defineOtelDialect,
  flatLists,
  isJsonObject,
  isMediaPart,
  type JsonValue,
  lookUp,
  type MessageSide,
  messagesAt,
  type OtelMessage,
  peekedAt,
  type SpanReader,
  type SpanType,
  source,
  structuredList,
  textAt,
  toDocument,
  toOtelMessages,
  toStructured,
  unquotedAt,
} from '../../../core/plugin-sdk/index.ts';

const REQUESTS: Readonly<Record<string, SpanType>> = { chat: 'llm', completion: 'llm', rerank: 'retriever' };
const CALLS: Readonly<Record<string, 'embedding' | 'rerank'>> = { embedding: 'embedding', rerank: 'rerank' };
const RESULTS = ['db.query.result', 'db.search.result'];
const toRequest = (reader: SpanReader): string | undefined => reader.peekText('llm.request.type')?.toLowerCase();

/** OpenLLMetry, also known by its maker Traceloop: decorated functions, and model calls with numbered prompts. */
export const openllmetry = defineOtelDialect({
  id: 'openllmetry',
  sdk: 1,
  stability: 'experimental',
  label: 'OpenLLMetry',
  summary: 'Decorated functions, and model calls with numbered prompts, of OpenLLMetry by Traceloop.',
  recognizes: {
    attributes: ['traceloop.', 'llm.', 'gen_ai.prompt.', 'gen_ai.completion.', 'db.vector.query.'],
    events: RESULTS,
  },
  sources: {
    type: [
      source(5, (reader) => {
        const kind = reader.peekText('traceloop.span.kind')?.toLowerCase();
        if (kind === undefined) return undefined;
        return kind === 'agent' || kind === 'tool' ? kind : 'workflow';
      }),
      source(9.1, (reader) =>
        reader.hasUnder('db.vector.query.') || reader.events(...RESULTS).length > 0 ? 'retriever' : undefined,
      ),
      source(10, (reader) => {
        const request = toRequest(reader);
        return request === undefined ? undefined : (lookUp(REQUESTS, request) ?? 'workflow');
      }),
    ],
    call: [source(6, (reader) => lookUp(CALLS, toRequest(reader)))],
    entity_name: [source(1, (reader) => (reader.has('traceloop.span.kind') ? reader.text('traceloop.entity.name') : undefined))],
    input_messages: [
      source(4, (reader) => numberedMessages(reader, 'gen_ai.prompt', 'input')),
      messagesAt(10.2, 'traceloop.entity.input', 'input'),
    ],
    output_messages: [
      source(4, (reader) => numberedMessages(reader, 'gen_ai.completion', 'output')),
      messagesAt(10.2, 'traceloop.entity.output', 'output'),
    ],
    input_text: [unquotedAt(6, 'traceloop.entity.input')],
    output_text: [unquotedAt(6, 'traceloop.entity.output')],
    documents: [source(4, queryResults)],
    finish_reason: [textAt(4, 'gen_ai.completion.0.finish_reason'), textAt(6, 'llm.response.finish_reason')],
    tools: [source(4, readFunctions)],
    prompt_name: [peekedAt(3, 'traceloop.prompt.key')],
    prompt_version: [peekedAt(3, 'traceloop.prompt.version')],
    num_input_tokens: [countAt(4, 'llm.usage.prompt_tokens')],
    num_output_tokens: [countAt(4, 'llm.usage.completion_tokens')],
    num_total_tokens: [countAt(2, 'llm.usage.total_tokens')],
    num_reasoning_tokens: [countAt(3, 'llm.usage.reasoning_tokens')],
    session: [
      textAt(6, 'traceloop.association.properties.session_id'),
      textAt(7, 'traceloop.association.properties.thread_id'),
      textAt(9, 'traceloop.association.properties.sessionId'),
    ],
    user_id: [
      textAt(4, 'traceloop.association.properties.user_id'),
      textAt(6, 'traceloop.association.properties.userId'),
      textAt(7, 'llm.user'),
    ],
  },
  metadata_prefixes: ['traceloop.association.properties.'],
});

function numberedMessages(reader: SpanReader, prefix: string, side: MessageSide): OtelMessage[] | undefined {
  const messages = reader.list(prefix).flatMap((keys) => {
    const value = toFields(reader, keys, ['role', 'content', 'name', 'tool_call_id']);
    const calls = (flatLists(keys).get('tool_calls') ?? []).map((call) => toFields(reader, call, ['id', 'name', 'arguments']));
    if (Object.keys(value).length + calls.length === 0) return [];
    return toOtelMessages({ ...value, content: partsIn(value.content), ...(calls.length > 0 && { tool_calls: calls }) }, side);
  });
  return messages.length > 0 ? messages : undefined;
}

/** Content of several parts comes as JSON text of their list; any other JSON is what was said. */
function partsIn(content: JsonValue | undefined): JsonValue {
  const parts = toStructured(content ?? null);
  const areParts = Array.isArray(parts) && parts.some(saysItIsPart) && parts.every((part) => saysItIsPart(part) || hasText(part));
  return areParts ? parts : (content ?? null);
}

/** Parts of Gemini and Bedrock have no type; a text of theirs is none by itself. */
const saysItIsPart = (part: JsonValue): boolean => (isJsonObject(part) && 'type' in part) || isMediaPart(part);
const hasText = (part: JsonValue): boolean => isJsonObject(part) && typeof part.text === 'string';

function readFunctions(reader: SpanReader) {
  const functions = reader.list('llm.request.functions').map((keys) => {
    const value = toFields(reader, keys, ['name', 'description', 'parameters']);
    return 'parameters' in value ? { ...value, parameters: toStructured(value.parameters!) } : value;
  });
  return structuredList(functions.filter((value) => Object.keys(value).length > 0));
}

function queryResults(reader: SpanReader) {
  const events = reader.events(...RESULTS);
  for (const event of events) reader.useEvent(event);
  const items = events.map(({ attributes }) => Object.fromEntries([...attributes].map(([key, value]) => [lastPart(key), value])));
  return items.length > 0 ? items.map(toDocument) : undefined;
}

const lastPart = (key: string): string => key.slice(key.lastIndexOf('.') + 1);

function toFields(reader: SpanReader, keys: ReadonlyMap<string, string>, names: readonly string[]): Record<string, JsonValue> {
  const found = names.map((name) => [name, reader.value(keys.get(name))] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, JsonValue>;
}
