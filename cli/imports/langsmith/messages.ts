import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, getOwn, isJsonObject, toStructured } from '../../../core/plugin-sdk/otel/index.ts';

/** Classes of messages as LangChain writes them down, and the roles they stand for. */
const ROLES: readonly [ending: RegExp, role: string][] = [
  [/^Human/, 'user'],
  [/^AI/, 'assistant'],
  [/^System/, 'system'],
  [/^(Tool|Function)/, 'tool'],
];
const TYPES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', function: 'tool' };

/** The messages that a model was given, whichever of the documented forms they have; else the inputs as they are. */
export function toInputMessages(inputs: JsonObject): JsonValue {
  const given = toStructured(findFirst(inputs, 'messages', 'prompts', 'prompt', 'input') ?? null);
  if (!Array.isArray(given)) return given ?? inputs;
  // One list for each prompt of a batch: a run has one.
  const list = given.length === 1 && Array.isArray(given[0]) && !isPair(given[0]) ? (given[0] as readonly JsonValue[]) : given;
  const messages = list.map(toMessage);
  const system = getOwn(inputs, 'system');
  return system === undefined || system === null ? messages : [{ role: 'system', content: system }, ...messages];
}

/** The answer of a model: LangChain's generations, choices as OpenAI has them, messages, or one message. */
export function toOutputMessages(outputs: JsonObject): JsonValue {
  const generations = flat(getOwn(outputs, 'generations'));
  if (generations.length > 0)
    return generations.map((generation) => {
      const message = findFirst(generation, 'message');
      return message === undefined ? { role: 'assistant', content: findFirst(generation, 'text') ?? '' } : toMessage(message);
    });
  const messages = getOwn(outputs, 'messages');
  if (Array.isArray(messages)) return (messages as readonly JsonValue[]).slice(-1).map(toMessage);
  const one = findFirst(outputs, 'message', 'output');
  if (one !== undefined)
    return Array.isArray(one) && !isPair(one) ? (one as readonly JsonValue[]).map(toMessage) : toMessage(one);
  return outputs;
}

/** Tokens where the run itself has none: beside the answer, or in the message. */
export function findUsage(outputs: JsonObject): JsonObject | undefined {
  const [generation] = flat(getOwn(outputs, 'generations'));
  const message = findFirst(generation, 'message');
  const places = [
    getOwn(outputs, 'usage_metadata'),
    findFirst(kwargsOf(message), 'usage_metadata'),
    findFirst(getOwn(outputs, 'llm_output'), 'token_usage'),
    getOwn(outputs, 'usage'),
  ];
  return places.find(isJsonObject);
}

/** `["user", "Hello"]` is a message, too. */
const isPair = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every((part) => typeof part === 'string') &&
  /^[a-z]+$/.test(value[0] as string);

function flat(value: JsonValue | undefined): JsonValue[] {
  const list = toStructured(value ?? null);
  return Array.isArray(list) ? (list as readonly JsonValue[]).flat() : [];
}

const kwargsOf = (value: JsonValue | undefined): JsonValue | undefined =>
  findFirst(value, 'kwargs') ?? findFirst(value, 'data') ?? value;

/** A message, out of what LangChain writes down: a constructor with its arguments, or a type with data. */
export function toMessage(value: JsonValue): JsonValue {
  if (typeof value === 'string') return { role: 'user', content: value };
  if (isPair(value)) return { role: toRole((value as [string, string])[0]), content: (value as [string, string])[1] };
  const fields = kwargsOf(value);
  if (!isJsonObject(value) || !isJsonObject(fields)) return value;
  const extra = findFirst(fields, 'additional_kwargs');
  const calls = nonEmpty(findFirst(fields, 'tool_calls')) ?? nonEmpty(findFirst(extra, 'tool_calls'));
  const [id, name] = [findFirst(fields, 'tool_call_id'), findFirst(fields, 'name')];
  return {
    role: roleOf(value, fields),
    content: findFirst(fields, 'content') ?? '',
    ...(calls !== undefined && { tool_calls: calls }),
    ...(id !== undefined && { tool_call_id: id }),
    ...(name !== undefined && { name }),
  };
}

const nonEmpty = (value: JsonValue | undefined): JsonValue | undefined =>
  Array.isArray(value) && value.length > 0 ? value : undefined;

function roleOf(value: JsonObject, fields: JsonObject): string {
  const role = findFirst(fields, 'role') ?? findFirst(value, 'role');
  if (typeof role === 'string') return toRole(role);
  const path = getOwn(value, 'id');
  const name = Array.isArray(path) ? String((path as readonly JsonValue[]).at(-1)) : '';
  const type = findFirst(fields, 'type') ?? (value.type === 'constructor' ? undefined : value.type);
  return ROLES.find(([start]) => start.test(name))?.[1] ?? toRole(typeof type === 'string' ? type : 'user');
}

const toRole = (role: string): string => TYPES[role] ?? role;
