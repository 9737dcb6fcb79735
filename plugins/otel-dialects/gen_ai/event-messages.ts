import {
  getOwn,
  isJsonObject,
  type JsonValue,
  type MessageSide,
  type OtelMessage,
  readOtelMessages,
  type SpanEvent,
  type SpanReader,
  toOtelMessages,
  toStructured,
} from '../../../core/plugin-sdk/index.ts';

const ROLE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;
const INPUT_EVENTS = ['gen_ai.system.message', 'gen_ai.user.message', 'gen_ai.assistant.message', 'gen_ai.tool.message'];
const DETAILS = 'gen_ai.client.inference.operation.details';
const EVENTS: Readonly<Record<MessageSide, readonly string[]>> = {
  input: [...INPUT_EVENTS, 'gen_ai.content.prompt', DETAILS],
  output: ['gen_ai.choice', 'gen_ai.content.completion', DETAILS],
};

/** Messages that were sent as events of the span, in the order of the events. Undefined when there are none. */
export function eventMessages(reader: SpanReader, side: MessageSide): OtelMessage[] | undefined {
  const found = reader.events(...EVENTS[side]).flatMap((event) => {
    const messages = messagesOfEvent(event, side);
    if (messages.length > 0) reader.useEvent(event);
    return messages;
  });
  return found.length > 0 ? found : undefined;
}

/** Why the model stopped, as its choice states it. */
export function choiceFinishReason(reader: SpanReader): string | undefined {
  const [choice] = reader.events('gen_ai.choice');
  const reason = choice && getOwn(toFields(choice), 'finish_reason');
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

/** Some senders put the fields of an event into one attribute, as JSON text. */
function toFields({ attributes }: SpanEvent): JsonValue {
  const content = toStructured(attributes.get('gen_ai.event.content') ?? null);
  return isJsonObject(content) ? content : Object.fromEntries(attributes);
}

function messagesOfEvent(event: SpanEvent, side: MessageSide): OtelMessage[] {
  const fields = toFields(event);
  if (event.name === 'gen_ai.choice') return toChoice(getOwn(fields, 'message') ?? fields);
  const role = ROLE_EVENT.exec(event.name)?.[1];
  if (role !== undefined && isJsonObject(fields)) return roleMessage(fields, role, side);
  const value =
    getOwn(fields, side === 'input' ? 'gen_ai.prompt' : 'gen_ai.completion') ?? getOwn(fields, `gen_ai.${side}.messages`);
  return value === undefined || value === null ? [] : readOtelMessages(value, side);
}

function toChoice(message: JsonValue): OtelMessage[] {
  const value = toStructured(message);
  return isJsonObject(value)
    ? toOtelMessages({ ...value, content: bodyValue(value.content) }, 'output')
    : readOtelMessages(value, 'output');
}

function roleMessage(
  { id, content, ...rest }: Readonly<Record<string, JsonValue>>,
  role: string,
  side: MessageSide,
): OtelMessage[] {
  const message = { role, ...rest, content: bodyValue(content) };
  return toOtelMessages(role === 'tool' && id !== undefined ? { ...message, tool_call_id: id } : message, side);
}

/** A body may be JSON text of its parts; other JSON is what the message says. */
function bodyValue(content: JsonValue | undefined): JsonValue {
  const value = toStructured(content ?? null);
  return Array.isArray(value) || isTextPart(value) ? value : (content ?? null);
}

const isTextPart = (value: JsonValue): boolean => isJsonObject(value) && typeof getOwn(value, 'type') === 'string';
