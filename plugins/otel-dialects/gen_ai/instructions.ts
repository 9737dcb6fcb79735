import { messagesUnder, type OtelMessage, type SpanReader, toMessageBody, toStructured } from '../../../core/plugin-sdk/index.ts';

/** Instructions are a list of parts; they stand in front of the conversation. */
export function instructions(reader: SpanReader): OtelMessage[] | undefined {
  const value = reader.value('gen_ai.system_instructions');
  const { content } = toMessageBody(toStructured(value ?? null));
  return content === '' ? undefined : [{ role: 'system', content }];
}

/** The conversation with the instructions in front of it. */
export function withInstructions(reader: SpanReader): OtelMessage[] | undefined {
  const messages = messagesUnder(reader, 'gen_ai.input.messages', 'input');
  if (messages === undefined) return undefined;
  const [first] = messages;
  const before = reader.attempt(instructions) ?? [];
  // Some senders tell them in both places.
  const isToldAgain = first?.role === 'system' && first.content === before[0]?.content;
  return isToldAgain ? messages : [...before, ...messages];
}
