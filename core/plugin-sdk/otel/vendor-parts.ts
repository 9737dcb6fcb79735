import type { JsonObject, JsonValue } from '../json.ts';
import { findFirst, getOwn, isJsonObject, toStructured } from './json-text.ts';

/** Members that say the kind of a part without a `type`, as the APIs of Bedrock and Gemini have them. */
const WRAPPERS: readonly (readonly [member: string, type: string])[] = [
  ['toolUse', 'tool_use'],
  ['toolResult', 'tool_result'],
  ['functionCall', 'tool_use'],
  ['function_call', 'tool_use'],
  ['functionResponse', 'tool_result'],
  ['function_response', 'tool_result'],
  ['reasoningContent', 'reasoning'],
];
/** Items of the Responses API of OpenAI. */
const ITEMS: Readonly<Record<string, string>> = { function_call: 'tool_use', function_call_output: 'tool_result' };

/** A part as most APIs write it: its kind in `type`, its id in `id`. Parts that are so already are returned as they are. */
export function toTypedPart(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part;
  const type = getOwn(part, 'type');
  if (typeof type === 'string') return Object.hasOwn(ITEMS, type) ? withId({ ...part, type: ITEMS[type]! }) : part;
  for (const [member, wrapped] of WRAPPERS) {
    const value = toStructured(getOwn(part, member) ?? null);
    if (isJsonObject(value)) return withId({ ...reasoningOf(value), type: wrapped });
  }
  return part;
}

/** Whether a value is a tool's call or result that stands where a message does. */
export function isToolPart(value: JsonValue): value is JsonObject {
  const typed = toTypedPart(value);
  return typed !== value && ['tool_use', 'tool_result'].includes(String(getOwn(typed, 'type')));
}

function withId(part: JsonObject): JsonObject {
  const id = findFirst(part, 'call_id', 'toolUseId', 'id');
  return id === undefined ? part : { ...part, id };
}

function reasoningOf(value: JsonObject): JsonObject {
  const text = getOwn(value, 'reasoningText');
  return isJsonObject(text) ? { ...value, ...text } : value;
}
