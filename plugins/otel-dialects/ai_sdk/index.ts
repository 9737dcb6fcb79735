import {
  countAt,
  defineOtelDialect,
  findFirst,
  getOwn,
  isJsonObject,
  messagesAt,
  numberAt,
  type OtelMessage,
  readOtelMessages,
  type Source,
  type SpanReader,
  type SpanType,
  source,
  textAt,
  toCount,
  toOtelMessages,
  toStructured,
  unquote,
  unquotedAt,
} from '../../../core/plugin-sdk/index.ts';

/** The telemetry of the AI SDK before it took up the GenAI conventions, and what it still adds to them. */
export const aiSdk = defineOtelDialect({
  id: 'ai_sdk',
  sdk: 1,
  stability: 'experimental',
  label: 'Vercel AI SDK',
  summary: 'Telemetry of the AI SDK from before it took up the GenAI conventions, and what it still adds to them.',
  recognizes: { attributes: ['ai.', 'operation.name'] },
  sources: {
    type: [source(6, getType)],
    call: [
      source(4, (reader) => {
        const operation = getOperation(reader);
        if (operation?.endsWith('.doembed')) return 'embedding';
        return operation?.endsWith('.dorerank') ? 'rerank' : undefined;
      }),
    ],
    tool_name: [textAt(2, 'ai.toolCall.name')],
    input_messages: [messagesAt(5, 'ai.prompt.messages', 'input'), source(10.1, promptMessages)],
    output_messages: [source(5, responseMessages)],
    input_text: [unquotedAt(3, 'ai.toolCall.args'), textAt(9, 'ai.prompt')],
    output_text: [unquotedAt(3, 'ai.toolCall.result'), textAt(9, 'ai.response.text'), unquotedAt(9.1, 'ai.response.object')],
    model: [textAt(7, 'ai.response.model'), textAt(8, 'ai.model.id')],
    temperature: [numberAt(2, 'ai.settings.temperature')],
    finish_reason: [textAt(7, 'ai.response.finishReason')],
    tools: [source(5, (reader) => reader.objects('ai.prompt.tools'))],
    tool_call_id: [textAt(2, 'ai.toolCall.id')],
    num_input_tokens: [countAt(5, 'ai.usage.inputTokens'), countAt(6, 'ai.usage.promptTokens')],
    num_output_tokens: [countAt(5, 'ai.usage.outputTokens'), countAt(6, 'ai.usage.completionTokens')],
    num_total_tokens: [countAt(4, 'ai.usage.totalTokens'), countAt(5, 'ai.usage.tokens')],
    num_cached_input_tokens: [countAt(5, 'ai.usage.inputTokenDetails.cacheReadTokens'), countAt(6, 'ai.usage.cachedInputTokens')],
    num_cache_write_input_tokens: [countAt(6, 'ai.usage.inputTokenDetails.cacheWriteTokens')],
    num_reasoning_tokens: [countAt(5, 'ai.usage.outputTokenDetails.reasoningTokens'), countAt(6, 'ai.usage.reasoningTokens')],
    time_to_first_token_ns: [millisAt(3, 'ai.response.msToFirstChunk'), millisAt(4, 'ai.stream.msToFirstChunk')],
    session: [textAt(5, 'ai.telemetry.metadata.sessionId'), textAt(8, 'ai.settings.context.sessionId')],
    user_id: [textAt(3, 'ai.telemetry.metadata.userId'), textAt(5, 'ai.settings.context.userId')],
    tags: [
      source(4, (reader) => reader.tags('ai.telemetry.metadata.tags')),
      source(5, (reader) => reader.tags('ai.settings.context.tags')),
    ],
  },
  metadata_prefixes: ['ai.telemetry.metadata.', 'ai.settings.context.'],
  secret_prefixes: ['ai.request.headers.'],
});

/** `operation.name` is the same followed by the caller's own name of the function. */
function getOperation(reader: SpanReader): string | undefined {
  const id = reader.peekText('ai.operationId') ?? reader.peekText('operation.name')?.split(' ', 1)[0];
  return id?.toLowerCase();
}

function getType(reader: SpanReader): SpanType | undefined {
  const operation = getOperation(reader);
  if (operation === undefined || !(reader.has('ai.operationId') || operation.startsWith('ai.'))) return undefined;
  if (operation.endsWith('.dogenerate') || operation.endsWith('.dostream')) return 'llm';
  if (operation === 'ai.toolcall') return 'tool';
  return operation.startsWith('ai.rerank') ? 'retriever' : 'workflow';
}

function promptMessages(reader: SpanReader): OtelMessage[] | undefined {
  const value = reader.value('ai.prompt');
  if (value === undefined || value === '') return undefined;
  const prompt = toStructured(value);
  const question = getOwn(prompt, 'prompt');
  const messages = typeof question === 'string' ? { ...(isJsonObject(prompt) ? prompt : {}), messages: [question] } : value;
  const found = readOtelMessages(messages, 'input');
  return found.length > 0 ? found : undefined;
}

function responseMessages(reader: SpanReader): OtelMessage[] | undefined {
  const said = reader.text('ai.response.text') ?? reader.unquoted('ai.response.object');
  const calls = reader.objects('ai.response.toolCalls');
  if (said === undefined && !calls) return undefined;
  const reasoning = reader.value('ai.response.reasoning') ?? null;
  return toOtelMessages(
    { role: 'assistant', content: said ?? '', tool_calls: calls ?? [], reasoning: reasoningText(reasoning) },
    'output',
  );
}

/** Reasoning is a text, or a list of pieces with a text each. */
function reasoningText(value: Parameters<typeof toStructured>[0]): string {
  const pieces = toStructured(value);
  if (!Array.isArray(pieces)) return value === null ? '' : unquote(value);
  return pieces.map((piece) => findFirst(piece, 'text') ?? piece).join('\n');
}

function millisAt(rank: number, key: string): Source<number> {
  return source(rank, (reader) => {
    const millis = reader.number(key);
    return toCount(millis === undefined ? undefined : millis * 1_000_000);
  });
}
