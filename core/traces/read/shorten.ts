import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { isContentBlocks } from '../content-blocks.ts';

/** Characters that a shortened text has at most, its mark included. */
export const MAX_SHOWN = 1_000;
const MARK = '…';

const PAYLOADS = ['input', 'output', 'redacted_input', 'redacted_output'] as const;

/** A record with long texts of its payloads cut off: texts, contents of messages and documents, and content blocks. */
export function shortened<T extends object>(view: T): T {
  const values = view as Readonly<Record<string, JsonValue>>;
  const present = PAYLOADS.filter((name) => name in values);
  return { ...view, ...Object.fromEntries(present.map((name) => [name, shortPayload(values[name] ?? null)])) };
}

function shortPayload(payload: JsonValue): JsonValue {
  if (typeof payload === 'string') return shortText(payload);
  if (isContentBlocks(payload)) return shortContent(payload);
  if (Array.isArray(payload)) return (payload as readonly JsonValue[]).map(shortPayload);
  return isObject(payload) ? withShort(payload, 'content', shortContent) : payload;
}

function shortContent(content: JsonValue): JsonValue {
  if (typeof content === 'string') return shortText(content);
  if (!Array.isArray(content)) return content;
  return (content as readonly JsonValue[]).map((part) => (isObject(part) ? withShort(part, 'text', shortText) : part));
}

const withShort = (value: JsonObject, name: string, shorten: (value: JsonValue) => JsonValue): JsonObject =>
  Object.hasOwn(value, name) ? { ...value, [name]: shorten(value[name]!) } : value;

/** Never cuts a character in two. */
function shortText(text: JsonValue): JsonValue {
  if (typeof text !== 'string' || text.length <= MAX_SHOWN) return text;
  const end = MAX_SHOWN - MARK.length;
  const splits = /[\ud800-\udbff]/.test(text[end - 1]!) && /[\udc00-\udfff]/.test(text[end]!);
  return text.slice(0, splits ? end - 1 : end) + MARK;
}

const isObject = (value: JsonValue): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
