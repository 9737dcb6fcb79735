import type { JsonObject, JsonValue } from '../json.ts';
import type { MessageContent } from './inline-media.ts';
import { findFirst, getOwn, isJsonObject, toJsonText, toStructured } from './json-text.ts';
import { type Body, isPart, type ToolCall, toContentText, toMessageBody, toToolCall } from './message-parts.ts';
import { isToolPart } from './vendor-parts.ts';

/** A message as records keep it. */
export interface OtelMessage {
  readonly role: string;
  readonly content: MessageContent;
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly reasoning?: string;
}

export type MessageSide = 'input' | 'output';

const ROLES: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  // Of smolagents, which has no parts for them.
  ['tool-call', 'assistant'],
  ['tool-response', 'tool'],
]);
const TYPES_THAT_ARE_ROLES = ['human', 'ai', 'system', 'tool', 'function', 'user', 'assistant', 'developer'];

/** The messages of any value that senders put where messages belong. Empty only for an empty list. */
export function readOtelMessages(value: JsonValue, side: MessageSide): OtelMessage[] {
  const read = toStructured(value);
  if (Array.isArray(read)) return toList(read as readonly JsonValue[], side);
  if (!isJsonObject(read)) return [{ role: defaultRole(side), content: toJsonText(read) }];
  const messages = toStructured(getOwn(read, 'messages') ?? null);
  if (Array.isArray(messages)) return [...toSystemMessages(read), ...toList(messages as readonly JsonValue[], side)];
  const choices = getOwn(read, 'choices');
  if (Array.isArray(choices) && choices.length > 0)
    return choices.flatMap((choice) => readOtelMessages(findFirst(choice, 'message', 'text') ?? choice, side));
  return isMessage(read) ? toOtelMessages(read, side) : [jsonMessage(read, side)];
}

/**
 * Members that stand beside the messages in a container such as `{ messages, tools, response_format }`, and beside each choice
 * in `{ choices }`: what `readOtelMessages` does not take. Undefined when there are none.
 */
export function findRestOfContainer(value: JsonValue): JsonObject | undefined {
  const read = toStructured(value);
  if (!isJsonObject(read)) return undefined;
  const [key, taken] = Array.isArray(toStructured(getOwn(read, 'messages') ?? null))
    ? ['messages', ['messages', 'system']]
    : ['choices', ['choices']];
  const items = toStructured(getOwn(read, key as string) ?? null);
  if (!Array.isArray(items)) return undefined;
  const rest = withoutMembers(read, taken as readonly string[]);
  const beside =
    key === 'choices'
      ? (items as readonly JsonValue[]).filter(isJsonObject).map((one) => withoutMembers(one, ['message', 'text']))
      : [];
  const all = beside.some((one) => Object.keys(one).length > 0) ? { ...rest, choices: beside } : rest;
  return Object.keys(all).length > 0 ? all : undefined;
}

const withoutMembers = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name, member]) => !names.includes(name) && member !== null));

/** One message, and as messages of their own the tool results inside it. */
export function toOtelMessages(value: JsonObject, side: MessageSide): OtelMessage[] {
  const role = getRole(value, side);
  const callId = textAt(value, 'tool_call_id', 'toolCallId');
  const body = toMessageBody(findFirst(value, 'parts', 'content', 'contents') ?? null);
  const results = body.results.map((result) => ({ role: 'tool', ...result }));
  const message = withoutHoles({
    role,
    content: body.content,
    name: textAt(value, 'name'),
    tool_call_id: callId,
    tool_calls: [...body.calls, ...getCalls(value)],
    reasoning: [textAt(value, 'reasoning', 'reasoning_content'), body.reasoning].filter(Boolean).join('\n'),
  });
  if (results.length > 0 && isBare(message, body)) return results;
  return role === 'assistant' ? [message, ...results] : [...results, message];
}

/** The text a conversation is about: its last question. */
export function toInputText(messages: readonly OtelMessage[]): string {
  const question = messages.findLast(({ role }) => role === 'user') ?? (messages.length === 1 ? messages[0] : undefined);
  return (question && toContentText(question.content)) || toMessagesText(messages);
}

export function toOutputText(message: OtelMessage): string {
  return message.content === '' && message.tool_calls ? JSON.stringify(message.tool_calls) : toContentText(message.content);
}

/** All that messages say as JSON, in which media are named. */
export const toMessagesText = (messages: readonly OtelMessage[]): string =>
  JSON.stringify(messages.map((message) => ({ ...message, content: toContentText(message.content) })));

const defaultRole = (side: MessageSide): string => (side === 'input' ? 'user' : 'assistant');
const jsonMessage = (value: JsonValue, side: MessageSide): OtelMessage => ({
  role: defaultRole(side),
  content: JSON.stringify(value),
});

function toList(values: readonly JsonValue[], side: MessageSide): OtelMessage[] {
  const items = values.map(toStructured);
  if (items.length > 0 && items.every((item) => isPart(item) && !isMessage(item)))
    return toOtelMessages({ content: items }, side);
  if (!items.every((item, at) => typeof values[at] === 'string' || isMessage(item) || isToolPart(item)))
    return [jsonMessage(values, side)];
  return items.flatMap((item) => {
    if (isToolPart(item)) return toOtelMessages({ role: 'assistant', content: [item] }, side);
    return isMessage(item) ? toOtelMessages(item, side) : readOtelMessages(item, side);
  });
}

function isMessage(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  if (typeof getOwn(value, 'role') === 'string' || Array.isArray(getOwn(value, 'parts'))) return true;
  const type = getOwn(value, 'type');
  if (typeof type === 'string') return TYPES_THAT_ARE_ROLES.includes(type) && Object.hasOwn(value, 'content');
  return Object.hasOwn(value, 'content') || Object.hasOwn(value, 'tool_calls');
}

function getRole(value: JsonObject, side: MessageSide): string {
  const type = getOwn(value, 'type');
  const given = textAt(value, 'role') ?? (typeof type === 'string' && TYPES_THAT_ARE_ROLES.includes(type) ? type : undefined);
  return given === undefined ? defaultRole(side) : (ROLES.get(given.toLowerCase()) ?? given);
}

/** Some requests hold the system's text beside the messages. */
function toSystemMessages(value: JsonObject): OtelMessage[] {
  const { content } = toMessageBody(getOwn(value, 'system') ?? null);
  return content === '' ? [] : [{ role: 'system', content }];
}

function getCalls(value: JsonObject): ToolCall[] {
  const calls = toStructured(findFirst(value, 'tool_calls', 'toolCalls') ?? null);
  const single = getOwn(value, 'function_call');
  const all: readonly JsonValue[] = Array.isArray(calls) ? (calls as readonly JsonValue[]) : isJsonObject(single) ? [single] : [];
  return all.filter(isJsonObject).map(toToolCall);
}

const isBare = (message: OtelMessage, body: Body): boolean =>
  message.content === '' && body.reasoning === '' && message.tool_calls === undefined;

function textAt(value: JsonObject, ...keys: readonly string[]): string | undefined {
  const found = findFirst(value, ...keys);
  return found === undefined ? undefined : toJsonText(found);
}

type Draft = Pick<OtelMessage, 'role' | 'content'> & { readonly [K in keyof OtelMessage]: OtelMessage[K] | undefined };

function withoutHoles({ role, content, name, tool_call_id, tool_calls, reasoning }: Draft): OtelMessage {
  return {
    role,
    content,
    ...(name && { name }),
    ...(tool_call_id && { tool_call_id }),
    ...(tool_calls && tool_calls.length > 0 && { tool_calls }),
    ...(reasoning && { reasoning }),
  };
}
