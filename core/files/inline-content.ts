import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { MEDIA_PLACES, mayBeDataUrl, mediaPlacesIn, readDataUrlParts } from '../plugin-sdk/media-places.ts';
import { type Modality, toModality } from '../plugin-sdk/modality.ts';
import { getOwn } from '../plugin-sdk/otel/json-text.ts';
import { checkContentType, detectContentType, OCTETS } from './content-type.ts';
import { MAX_FILE_BYTES } from './file.ts';

/** Returns undefined for what is not base64, in either alphabet. */
export type DecodeBase64 = (text: string) => Uint8Array | undefined;

/** The content of a file that stands in a payload. */
export interface InlineContent {
  readonly bytes: Uint8Array;
  readonly content_type: string;
  readonly modality: Modality;
  readonly filename: string | null;
}

interface Claim {
  readonly data: string;
  /** As the sender calls it; empty where it says nothing. */
  readonly type: string;
}

/** Members of such a place that hold the content. */
const CONTENTS = ['url', 'data', 'file_data', 'base64', 'bytes', 'b64_json'];
const TYPES = ['media_type', 'mediaType', 'mime_type', 'mimeType', 'format'];
const NAMES = ['filename', 'name', 'title'];
/** Types of blocks that are media even if they do not say of which kind. */
const MEDIA = new Set([
  'blob',
  'image',
  'image_url',
  'input_image',
  'audio',
  'input_audio',
  'video',
  'file',
  'input_file',
  'media',
]);

/** Of what no signature is known, only content that is too large to be left in a record is made a file. */
const MIN_UNKNOWN_BYTES = 1_024;

/** The file that a text is, as a data URL of media; undefined for any other text. */
export function readDataUrl(text: string, decode: DecodeBase64): InlineContent | undefined {
  const claim = mayBeDataUrl(text) ? toClaim(text, '') : undefined;
  return claim && decodeClaim(claim, null, decode, false);
}

/** The file that a content block holds, in whichever of the forms that providers and frameworks have for it. */
export function readInlineBlock(block: JsonObject, decode: DecodeBase64): InlineContent | undefined {
  const isMedia = typeof block.type === 'string' && MEDIA.has(block.type);
  for (const place of mediaPlacesIn(block)) {
    const type = typeof place === 'string' ? '' : textOf(place, TYPES);
    const declared = type || textOf(block, TYPES);
    for (const text of contentsIn(place, block)) {
      const claim = toClaim(text, declared ? toMediaType(declared, block.type) : '');
      if (!claim || (!isMedia && !claim.type.includes('/'))) continue;
      const filename = (typeof place === 'string' ? '' : textOf(place, NAMES)) || textOf(block, NAMES) || null;
      const found = decodeClaim(claim, filename, decode, true);
      if (found) return found;
    }
  }
  return undefined;
}

/** Without the content, what else a block says: a part of the specification names its file alone, and keeps what is beside it. */
export function besideContent(block: JsonObject): JsonObject {
  const gone = new Set([...MEDIA_PLACES, ...CONTENTS, ...TYPES, 'content', 'type', 'modality', 'source_type', 'filename']);
  return Object.fromEntries(Object.entries(block).filter(([name]) => !gone.has(name))) as JsonObject;
}

function contentsIn(place: string | JsonObject, block: JsonObject): string[] {
  if (typeof place === 'string') return [place];
  const names = place === block && block.type === 'blob' ? [...CONTENTS, 'content'] : CONTENTS;
  return names.map((name) => getOwn(place, name)).filter((text) => typeof text === 'string' && text !== '') as string[];
}

function toClaim(text: string, declared: string): Claim | undefined {
  if (!mayBeDataUrl(text)) return { data: text, type: declared };
  const read = readDataUrlParts(text);
  return read && { data: read.data, type: read.type || declared };
}

/** A format alone is one of sound where the block is of sound, else of a picture. */
function toMediaType(declared: string, type: JsonValue | undefined): string {
  if (declared.includes('/')) return declared;
  return `${typeof type === 'string' && type.includes('audio') ? 'audio' : 'image'}/${declared}`;
}

function decodeClaim(
  { data, type }: Claim,
  filename: string | null,
  decode: DecodeBase64,
  takesUnknown: boolean,
): InlineContent | undefined {
  if (data.length > (MAX_FILE_BYTES / 3) * 4 + 4 || data.length < 16) return undefined;
  const isUnknown = detectContentType(decode(data.slice(0, 64)) ?? new Uint8Array()) === undefined;
  if (isUnknown && (!takesUnknown || !type.includes('/') || data.length < MIN_UNKNOWN_BYTES)) return undefined;
  const bytes = decode(data);
  if (!bytes || bytes.byteLength > MAX_FILE_BYTES) return undefined;
  const content_type = checkContentType(bytes, type);
  return { bytes, content_type, modality: toModality(content_type === OCTETS ? type.toLowerCase() : content_type), filename };
}

function textOf(object: JsonObject, names: readonly string[]): string {
  for (const name of names) {
    const value = getOwn(object, name);
    if (typeof value === 'string' && value.length > 0 && value.length <= 255) return value.toWellFormed().replaceAll('\0', '');
  }
  return '';
}
