import {
  findRestOfContainer,
  type MessageSide,
  type OtelMessage,
  readOtelMessages,
  toInputText,
  toOutputText,
} from './message.ts';
import { type Source, source } from './otel-dialect.ts';
import type { SpanReader } from './span-reader.ts';

/** The messages an attribute holds, if it holds any. */
export function messagesUnder(reader: SpanReader, key: string, side: MessageSide): OtelMessage[] | undefined {
  const value = reader.value(key);
  const messages = value === undefined || value === '' ? [] : readOtelMessages(value, side);
  const rest = value === undefined ? undefined : findRestOfContainer(value);
  if (rest) reader.keepRest(key, rest);
  return messages.length > 0 ? messages : undefined;
}

export const messagesAt = (rank: number, key: string, side: MessageSide): Source<readonly OtelMessage[]> =>
  source(rank, (reader) => messagesUnder(reader, key, side));

/** Messages where a text is wanted. What is more than one plain message is not told by it, so it stays beside. */
export const messageTextAt = (rank: number, key: string, side: MessageSide): Source<string> =>
  source(rank, (reader) => {
    const messages = reader.glance((glancing) => messagesUnder(glancing, key, side));
    if (!messages) return undefined;
    if (messages.length === 1 && isPlain(messages[0]!)) reader.value(key);
    return textOfMessages(messages, side) || undefined;
  });

export const textOfMessages = (messages: readonly OtelMessage[], side: MessageSide): string =>
  side === 'input' ? toInputText(messages) : toOutputText(answerAmong(messages));

/** Several are choices, of which the first counts; or a whole turn with the tools that were called, whose last text is the answer. */
function answerAmong(messages: readonly OtelMessage[]): OtelMessage {
  const isTurn = messages.some(({ role }) => role === 'tool');
  const last = messages.findLast(({ role, content }) => role === 'assistant' && content !== '');
  return (isTurn ? last : undefined) ?? messages[0]!;
}

const isPlain = (message: OtelMessage): boolean => typeof message.content === 'string' && Object.keys(message).length === 2;
