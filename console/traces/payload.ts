import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As it was sent: JSON, as a rule. */
  readonly arguments: string;
}

export interface Message {
  readonly role: string;
  readonly parts: readonly Part[];
  readonly tool_calls: readonly ToolCall[];
  /** Of a tool's answer: the call that it answers. */
  readonly tool_call_id: string | undefined;
}

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'picture'; readonly url: string }
  | { readonly kind: 'file'; readonly file_id: string; readonly modality: string | undefined }
  | { readonly kind: 'other'; readonly type: string; readonly value: JsonObject };

export interface RetrievedDocument {
  readonly content: string;
  readonly score: number | undefined;
  readonly metadata: JsonObject;
}

/** Input or output of a step, as it is shown; a part is a content block of its own or of a message. */
export type Payload =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  | { readonly kind: 'blocks'; readonly parts: readonly Part[] }
  | { readonly kind: 'documents'; readonly documents: readonly RetrievedDocument[] }
  | { readonly kind: 'json'; readonly value: JsonValue };

/** Texts that hold JSON are read: tools and importers send messages and documents that way, too. */
export function parsePayload(value: JsonValue | undefined): Payload {
  if (value === null || value === undefined || value === '') return { kind: 'nothing' };
  if (typeof value !== 'string') return structured(value);
  const parsed = parsedJson(value);
  return parsed === undefined ? { kind: 'text', text: value } : structured(parsed);
}

function structured(value: JsonValue): Payload {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  if (items.length > 0 && items.every(isMessage)) return { kind: 'messages', messages: items.map(toMessage) };
  if (items.length > 0 && items.every(isDocument)) return { kind: 'documents', documents: items.map(toDocument) };
  return isContentBlocks(value) ? { kind: 'blocks', parts: value.map(toPart) } : { kind: 'json', value };
}

/** Whether a payload is a list of content blocks, and not one of messages or documents. */
export const isContentBlocks = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isBlock) && !value.every(isDocument);

const isBlock = (value: JsonValue): boolean => isObject(value) && typeof value.type === 'string' && !('role' in value);

/** An object or a list; undefined for anything else, a number in a text among it. */
export function parsedJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMessage = (value: JsonValue): value is JsonObject =>
  isObject(value) && typeof value.role === 'string' && ('content' in value || 'tool_calls' in value);

function toMessage({ role, content, tool_calls, tool_call_id }: JsonObject): Message {
  return {
    role: String(role),
    parts: toParts(content),
    tool_calls: Array.isArray(tool_calls) ? (tool_calls as readonly JsonValue[]).filter(isObject).map(toToolCall) : [],
    tool_call_id: typeof tool_call_id === 'string' ? tool_call_id : undefined,
  };
}

function toParts(content: JsonValue | undefined): Part[] {
  if (content === null || content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return (Array.isArray(content) ? (content as readonly JsonValue[]) : [content]).map(toPart);
}

/** Of files that the service keeps; those of a provider have names of their own. */
const FILE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function toPart(part: JsonValue): Part {
  if (!isObject(part)) return { kind: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) };
  const { type, text } = part;
  if (typeof text === 'string') return { kind: 'text', text };
  const { file_id, modality } = part;
  if (type === 'file' && typeof file_id === 'string' && FILE_ID.test(file_id))
    return { kind: 'file', file_id, modality: typeof modality === 'string' ? modality : undefined };
  const url = toPicture(part);
  return url === undefined ? { kind: 'other', type: String(type ?? 'part'), value: part } : { kind: 'picture', url };
}

/** Pictures that came along. Those that stand elsewhere are not fetched: nothing is, from outside. */
function toPicture({ image_url, image, url }: JsonObject): string | undefined {
  const candidates = [isObject(image_url) ? image_url.url : image_url, image, url];
  return candidates.find((one): one is string => typeof one === 'string' && /^data:image\//.test(one));
}

function toToolCall({ id, function: called }: JsonObject): ToolCall {
  const { name, arguments: given } = isObject(called) ? called : {};
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : 'unnamed',
    arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
  };
}

const isDocument = (value: JsonValue): value is JsonObject =>
  isObject(value) && typeof (value.content ?? value.page_content) === 'string' && !('role' in value);

const SCORE_NAMES = ['score', 'relevance_score', 'similarity', 'relevance'];

function toDocument({ content, page_content, metadata, ...rest }: JsonObject): RetrievedDocument {
  const known: JsonObject = { ...rest, ...(isObject(metadata) ? metadata : {}) };
  const name = SCORE_NAMES.find((one) => typeof known[one] === 'number');
  return {
    content: String(content ?? page_content),
    score: name === undefined ? undefined : (known[name] as number),
    metadata: Object.fromEntries(Object.entries(known).filter(([key]) => key !== name)),
  };
}
