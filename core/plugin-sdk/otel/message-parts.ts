import type { JsonObject, JsonValue } from '../json.ts';
import { findInlineMedia, type MessageContent, readMediaUrl } from './inline-media.ts';
import { findFirst, getOwn, isJsonObject, toJsonText } from './json-text.ts';
import { toTypedPart } from './vendor-parts.ts';

export interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Combined parts of one message. */
export interface Body {
  readonly content: MessageContent;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly { readonly content: MessageContent; readonly tool_call_id?: string }[];
}

const TEXT = ['text', 'input_text', 'output_text'];
const REASONING = ['reasoning', 'thinking'];
const CALL = ['tool_call', 'tool-call', 'tool_use'];
const RESULT = ['tool_call_response', 'tool-result', 'tool_result'];
const MEDIA = ['blob', 'uri', 'file', 'image', 'image_url', 'audio'];
const DATA_URL = /^data:([^;,]{1,100})[;,]/i;
const ADDRESS = /^(?!data:)[a-z][a-z0-9+.-]*:/i;

/** Reads `content` or `parts` of a message, whatever their form. */
export function toMessageBody(value: JsonValue): Body {
  const given = Array.isArray(value) ? (value as readonly JsonValue[]) : isPart(value) ? [value] : undefined;
  const parts = given?.map(toTypedPart);
  if (!parts) return { content: toWholeContent(value), reasoning: '', calls: [], results: [] };
  const of = (types: readonly string[]): JsonObject[] =>
    parts.filter(isJsonObject).filter((part) => types.includes(getType(part) ?? ''));
  return {
    content: joinParts(parts.flatMap(toContent)),
    reasoning: of(REASONING).map(toOwnText).filter(Boolean).join('\n'),
    calls: of(CALL).map(toToolCall),
    results: of(RESULT).map(toResult),
  };
}

/** Something that can stand in a list of parts: it says what it is. */
export const isPart = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && getType(toTypedPart(value) as JsonObject) !== undefined;

export function toToolCall(value: JsonObject): ToolCall {
  const called = isJsonObject(getOwn(value, 'function')) ? getOwn(value, 'function') : value;
  const given = findFirst(called, 'arguments', 'input', 'args');
  return {
    id: toJsonText(findFirst(value, 'id', 'toolCallId') ?? ''),
    function: {
      name: toJsonText(findFirst(called, 'name', 'toolName') ?? ''),
      arguments: given === undefined ? '{}' : toJsonText(given),
    },
  };
}

function getType(part: JsonObject): string | undefined {
  const type = getOwn(part, 'type');
  if (typeof type === 'string') return type;
  return Object.hasOwn(part, 'text') ? 'text' : undefined;
}

function toWholeContent(value: JsonValue): MessageContent {
  if (value === null) return '';
  const media = typeof value === 'string' ? readMediaUrl(value) : isJsonObject(value) ? findInlineMedia(value) : undefined;
  return media ? [media] : toJsonText(value);
}

/** Texts alone are one text; where media stand among them each keeps its place. */
const joinParts = (parts: readonly (string | JsonObject)[]): MessageContent =>
  parts.every((part) => typeof part === 'string')
    ? parts.join('\n')
    : parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));

/** A message's content where a text is wanted: media are named by their kind. */
export const toContentText = (content: MessageContent): string =>
  typeof content === 'string'
    ? content
    : content
        .map((part) => (getType(part) === 'text' ? toOwnText(part) : `[${toJsonText(getOwn(part, 'modality') ?? 'file')}]`))
        .join('\n');

function toContent(part: JsonValue): (string | JsonObject)[] {
  if (!isJsonObject(part)) return part === null ? [] : [toJsonText(part)];
  const type = getType(part) ?? '';
  if (TEXT.includes(type)) return [toOwnText(part)];
  const media = findInlineMedia(part);
  if (media) return [media];
  if (MEDIA.includes(type)) return [getPlaceholder(part, type)];
  return [...REASONING, ...CALL, ...RESULT].includes(type) ? [] : [JSON.stringify(part)];
}

const toOwnText = (part: JsonObject): string => toJsonText(findFirst(part, 'content', 'text', 'thinking') ?? '');

/** Names what was shown to the model, where it is elsewhere, or cannot be read. */
function getPlaceholder(part: JsonObject, type: string): string {
  const source = getOwn(part, 'source');
  const mime = findFirst(part, 'mime_type', 'mimeType', 'mediaType', 'media_type') ?? findFirst(source, 'media_type');
  const [family = ''] = typeof mime === 'string' ? mime.split('/') : [];
  const word = toJsonText(findFirst(part, 'modality') ?? (FAMILIES.includes(family) ? family : type.replace('_url', '')));
  const found =
    getFileId(part) ?? toAddress([part, getOwn(part, 'image_url'), getOwn(part, 'image'), getOwn(part, 'audio'), source]) ?? mime;
  return found === undefined ? `[${word}]` : `[${word}: ${toJsonText(found)}]`;
}

const FAMILIES = ['image', 'audio', 'video'];

const getFileId = (part: JsonObject): JsonValue | undefined =>
  findFirst(part, 'file_id', 'fileId') ?? findFirst(getOwn(part, 'file'), 'file_id', 'filename');

/** Where something is, or at least what it is when it came inline. */
function toAddress(places: readonly (JsonValue | undefined)[]): string | undefined {
  const texts = places
    .flatMap((place) => (isJsonObject(place) ? [getOwn(place, 'uri'), getOwn(place, 'url'), getOwn(place, 'data')] : [place]))
    .filter((text) => typeof text === 'string');
  return texts.find((text) => ADDRESS.test(text)) ?? texts.map((text) => DATA_URL.exec(text)?.[1]).find(Boolean);
}

function toResult(part: JsonObject): Body['results'][number] {
  const callId = findFirst(part, 'id', 'toolCallId', 'tool_call_id', 'tool_use_id');
  const content = toResultContent(findFirst(part, 'response', 'result', 'output', 'content') ?? '');
  return { content, ...(callId !== undefined && { tool_call_id: toJsonText(callId) }) };
}

function toResultContent(value: JsonValue): MessageContent {
  if (isJsonObject(value) && typeof getOwn(value, 'type') === 'string' && Object.hasOwn(value, 'value'))
    return toResultContent(getOwn(value, 'value')!);
  const parts = Array.isArray(value) && value.length > 0 && value.every(isTextOrMedia);
  return parts ? joinParts(value.flatMap(toContent)) : toJsonText(value);
}

const isTextOrMedia = (part: JsonValue): boolean =>
  isJsonObject(part) && (TEXT.includes(getType(part) ?? '') || findInlineMedia(part) !== undefined);
