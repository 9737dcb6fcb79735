import {
  amountAt,
  countAt,
  defineOtelDialect,
  findFirst,
  type MessageSide,
  messagesAt,
  messageTextAt,
  numberAt,
  peekedAt,
  type Source,
  type SpanReader,
  source,
  structuredList,
  textAt,
  textOfMessages,
  toDocuments,
  toJsonText,
  toStructured,
} from '../../../core/plugin-sdk/index.ts';
import { choiceFinishReason, eventMessages } from './event-messages.ts';
import { instructions, withInstructions } from './instructions.ts';
import { rawCount } from './raw-usage.ts';
import { secondsAt, strandsFirstToken } from './times.ts';
import { getCall, TYPES } from './types.ts';

/** The GenAI conventions of OpenTelemetry, in all versions that are still sent. */
export const genAi = defineOtelDialect({
  id: 'gen_ai',
  sdk: 1,
  stability: 'experimental',
  label: 'OpenTelemetry GenAI',
  summary: 'The GenAI conventions of OpenTelemetry, in all versions that are still sent.',
  recognizes: { attributes: ['gen_ai.', 'pydantic_ai.', 'final_result', 'operation.cost'], events: ['gen_ai.'] },
  sources: {
    type: TYPES,
    call: [source(5, getCall)],
    tool_name: [textAt(1, 'gen_ai.tool.name')],
    agent_name: [textAt(1, 'gen_ai.agent.name')],
    input_messages: [
      source(2, withInstructions),
      source(7, (reader) => eventMessages(reader, 'input')),
      messagesAt(9, 'gen_ai.prompt', 'input'),
      source(11, instructions),
    ],
    output_messages: [
      messagesAt(2, 'gen_ai.output.messages', 'output'),
      source(7, (reader) => eventMessages(reader, 'output')),
      messagesAt(9, 'gen_ai.completion', 'output'),
    ],
    input_text: [
      textAt(2, 'gen_ai.tool.call.arguments'),
      textAt(4, 'gen_ai.retrieval.query.text'),
      messageTextAt(8, 'gen_ai.input.messages', 'input'),
      textAt(10, 'gen_ai.task.input'),
      messageTextAt(10.5, 'pydantic_ai.all_messages', 'input'),
    ],
    output_text: [
      textAt(2, 'gen_ai.tool.call.result'),
      messageTextAt(8, 'gen_ai.output.messages', 'output'),
      textAt(10, 'gen_ai.task.output'),
      textAt(10.5, 'final_result'),
    ],
    event_input_text: [eventTextAt(1, 'input')],
    event_output_text: [eventTextAt(1, 'output')],
    documents: [
      source(1, (reader) => toDocuments(reader.value('gen_ai.retrieval.documents'))),
      source(5, (reader) => {
        const [message] = structuredList(reader.peek('gen_ai.output.messages')) ?? [];
        return toDocuments(findFirst(toStructured(findFirst(message, 'content') ?? null), 'documents'));
      }),
    ],
    model: [textAt(2, 'gen_ai.response.model'), textAt(3, 'gen_ai.request.model')],
    temperature: [numberAt(1, 'gen_ai.request.temperature')],
    finish_reason: [
      source(1, (reader) => finishReason(reader, 'gen_ai.response.finish_reasons')),
      source(2, (reader) => {
        const [message] = structuredList(reader.peek('gen_ai.output.messages')) ?? [];
        const reason = findFirst(message, 'finish_reason');
        return reason === undefined ? undefined : toJsonText(reason) || undefined;
      }),
      source(5, (reader) => finishReason(reader, 'gen_ai.response.finish_reason')),
      source(8, choiceFinishReason),
    ],
    response_id: [textAt(1, 'gen_ai.response.id')],
    tools: [source(1, (reader) => reader.objects('gen_ai.tool.definitions'))],
    prompt_name: [peekedAt(1, 'gen_ai.prompt.name')],
    prompt_version: [peekedAt(1, 'gen_ai.prompt.version')],
    tool_call_id: [textAt(1, 'gen_ai.tool.call.id')],
    num_input_tokens: [countAt(1, 'gen_ai.usage.input_tokens'), countAt(2, 'gen_ai.usage.prompt_tokens')],
    num_output_tokens: [countAt(1, 'gen_ai.usage.output_tokens'), countAt(2, 'gen_ai.usage.completion_tokens')],
    num_total_tokens: [countAt(1, 'gen_ai.usage.total_tokens')],
    num_cached_input_tokens: [
      countAt(1, 'gen_ai.usage.cache_read.input_tokens'),
      countAt(2, 'gen_ai.usage.cache_read_input_tokens'),
      countAt(3, 'gen_ai.usage.details.cache_read_tokens'),
      countAt(9, 'gen_ai.usage.details.cached_tokens'),
      countAt(10, 'gen_ai.usage.prompt_tokens_details.cached_tokens'),
      countAt(11, 'gen_ai.usage.input_tokens.cached'),
      rawCount(12, ['prompt_tokens_details', 'input_tokens_details'], 'cached_tokens'),
    ],
    num_cache_write_input_tokens: [
      countAt(1, 'gen_ai.usage.cache_write.input_tokens'),
      countAt(2, 'gen_ai.usage.cache_creation.input_tokens'),
      countAt(3, 'gen_ai.usage.cache_creation_input_tokens'),
      countAt(4, 'gen_ai.usage.details.cache_write_tokens'),
    ],
    num_reasoning_tokens: [
      countAt(1, 'gen_ai.usage.reasoning.output_tokens'),
      countAt(2, 'gen_ai.usage.reasoning_tokens'),
      countAt(8, 'gen_ai.usage.details.reasoning_tokens'),
      countAt(9, 'gen_ai.usage.completion_tokens_details.reasoning_tokens'),
      countAt(10, 'gen_ai.usage.output_tokens.reasoning'),
      rawCount(11, ['completion_tokens_details', 'output_tokens_details'], 'reasoning_tokens'),
    ],
    time_to_first_token_ns: [
      secondsAt(1, 'gen_ai.response.time_to_first_chunk'),
      secondsAt(2, 'gen_ai.client.operation.time_to_first_chunk'),
      source(3.5, strandsFirstToken),
    ],
    cost: [amountAt(2, 'gen_ai.usage.cost'), amountAt(6, 'operation.cost')],
    session: [textAt(4, 'gen_ai.conversation.id')],
  },
});

function eventTextAt(rank: number, side: MessageSide): Source<string> {
  return source(rank, (reader) => {
    const messages = eventMessages(reader, side);
    return messages && (textOfMessages(messages, side) || undefined);
  });
}

/** One of them is all a record has room for: several stay beside it. */
function finishReason(reader: SpanReader, key: string): string | undefined {
  const reasons = toStructured(reader.peek(key) ?? null);
  const list = Array.isArray(reasons) ? reasons : [reasons];
  if (list.length === 1) reader.value(key);
  return list[0] === null || list[0] === undefined ? undefined : toJsonText(list[0]) || undefined;
}
