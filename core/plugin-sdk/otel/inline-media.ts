import type { JsonObject, JsonValue } from '../json.ts';
import { MAX_MEDIA_BYTES, MEDIA_PLACES, mayBeDataUrl, mediaPlacesIn, readDataUrlParts } from '../media-places.ts';
import { type Modality, toModality } from '../modality.ts';
import { getOwn, isJsonObject } from './json-text.ts';

/** Words of a message: a text, or its texts and media in their order. */
export type MessageContent = string | readonly JsonObject[];

/** Content of a picture, a sound, a video or a document that stands in a message, as base64. */
export interface InlineMedia extends JsonObject {
  readonly type: 'blob';
  readonly modality: Modality;
  readonly mime_type: string;
  readonly content: string;
}

/** Characters of base64 of the largest media that are kept; larger content is named and not kept. */
const MAX_CONTENT = Math.ceil(MAX_MEDIA_BYTES / 3) * 4;
/** Shorter content is an example and no file. */
const MIN_CONTENT = 16;
const MAX_FACT = 255;

const KINDS = [
  'blob',
  'uri',
  'image',
  'image_url',
  'input_image',
  'audio',
  'input_audio',
  'video',
  'file',
  'input_file',
  'media',
  'document',
  'inline_data',
  'inlineData',
];
/** Members of a part, or of an object in it, that hold the content. */
const CONTENTS = ['url', 'uri', 'data', 'file_data', 'base64', 'bytes', 'b64_json', 'content'];
const TYPES = ['mime_type', 'mimeType', 'media_type', 'mediaType'];
const FAMILIES = ['image', 'audio', 'video', 'text'];
/** Formats of documents as Bedrock's Converse API names them, https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
]);

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** The content that a part of a message brings along, in whichever of the forms of vendors. Undefined when there is none that is whole. */
export function findInlineMedia(part: JsonObject): InlineMedia | undefined {
  const type = getOwn(part, 'type');
  const mayHold =
    type === undefined ? MEDIA_PLACES.some((name) => Object.hasOwn(part, name)) : KINDS.some((kind) => kind === type);
  if (!mayHold) return undefined;
  for (const place of mediaPlacesIn(part)) {
    const declared = typeof place === 'string' ? '' : mediaTypeOf(place);
    for (const text of textsIn(place)) {
      const found = toMedia(text, declared || mediaTypeOf(part) || toMediaType(part));
      if (found) return { ...found, ...filenameOf(part, place) };
    }
  }
  return undefined;
}

/** Whether a value is a part of a message that brings content along, whatever it calls itself. */
export const isMediaPart = (value: JsonValue): value is JsonObject => isJsonObject(value) && findInlineMedia(value) !== undefined;

/** The media that a whole text is, as a data URL. */
export const readMediaUrl = (text: string): InlineMedia | undefined => (mayBeDataUrl(text) ? toMedia(text, '') : undefined);

/** Whether parts are media, by part: of a span each is asked about several times, and content is of megabytes. */
const mediaByPart = new WeakMap<JsonObject, boolean>();

/** Whether a value is media as `findInlineMedia` returns it. */
export function isInlineMedia(value: JsonValue | undefined): value is InlineMedia {
  if (!isJsonObject(value) || value.type !== 'blob' || typeof value.modality !== 'string') return false;
  const known = mediaByPart.get(value);
  if (known !== undefined) return known;
  const isMedia = typeof value.mime_type === 'string' && typeof value.content === 'string' && isContent(value.content);
  mediaByPart.set(value, isMedia);
  return isMedia;
}

function toMedia(text: string, declared: string): InlineMedia | undefined {
  const read = mayBeDataUrl(text) ? readDataUrlParts(text) : { type: '', data: text };
  const mime_type = (read?.type || declared).toLowerCase();
  if (read === undefined || !MEDIA_TYPE.test(mime_type)) return undefined;
  const content = read.data;
  return isContent(content) ? { type: 'blob', modality: toModality(mime_type), mime_type, content } : undefined;
}

/** The last character of four alone stands for less than a byte: something was cut off. */
const isContent = (text: string): boolean =>
  text.length >= MIN_CONTENT && text.length <= MAX_CONTENT && BASE64.test(text) && text.replace(/={1,2}$/, '').length % 4 !== 1;

const textsIn = (place: string | JsonObject): string[] =>
  typeof place === 'string' ? [place] : CONTENTS.map((name) => getOwn(place, name)).filter((text) => typeof text === 'string');

const mediaTypeOf = (place: JsonObject): string =>
  TYPES.map((name) => getOwn(place, name)).find((text): text is string => typeof text === 'string' && MEDIA_TYPE.test(text)) ??
  '';

/** Of a part that names no media type: its format, in the family that the part, or its member that holds the content, says it is of. */
function toMediaType(part: JsonObject): string {
  const [type, modality] = [getOwn(part, 'type'), getOwn(part, 'modality')];
  const isOf = (family: string): boolean =>
    family === modality || (typeof type === 'string' && type.includes(family)) || isJsonObject(getOwn(part, family));
  const family = FAMILIES.find(isOf);
  const formats = [part, ...MEDIA_PLACES.map((name) => getOwn(part, name))].map((place) => getOwn(place, 'format'));
  const format = formats.find((text) => typeof text === 'string');
  if (family) return `${family}/${format ?? (family === 'image' ? 'png' : 'octet-stream')}`;
  return (isOf('document') && DOCUMENTS.get(format ?? '')) || '';
}

function filenameOf(part: JsonObject, place: string | JsonObject): { readonly filename?: string } {
  const name = [place, part].map((one) => (typeof one === 'string' ? undefined : getOwn(one, 'filename'))).find(Boolean);
  return typeof name === 'string' && name.length <= MAX_FACT ? { filename: name } : {};
}
