import type { JsonObject } from './json.ts';
import { getOwn, isJsonObject } from './otel/json-text.ts';

/** Bytes of the largest media that are kept as a file. */
export const MAX_MEDIA_BYTES = 25 * 1024 * 1024;

/** Fields of a content block that may hold media, or an object that does, in the forms of providers and frameworks. */
export const MEDIA_PLACES: readonly string[] = [
  ...['image_url', 'input_audio', 'audio', 'image', 'file', 'source', 'inline_data', 'inlineData', 'document', 'video'],
];

const DATA_URL_HEAD = /^data:([^;,]{0,127})(?:;[^;,]{1,127}){0,4};base64,/i;
const LONGEST_HEAD = 700;

/** The block itself, and whatever in it may hold media: a text, or an object with one. */
export function* mediaPlacesIn(block: JsonObject): Generator<string | JsonObject, void> {
  yield block;
  for (const name of MEDIA_PLACES) {
    const place = getOwn(block, name);
    if (typeof place === 'string') yield place;
    if (!isJsonObject(place)) continue;
    yield place;
    const source = getOwn(place, 'source');
    if (isJsonObject(source)) yield source;
  }
}

/** Whether a text may be a data URL. Costs one look at its beginning. */
export const mayBeDataUrl = (text: string): boolean => text.charCodeAt(0) === 0x64 && text.startsWith('data:');

/** Media type, empty where it says none, and base64 of a data URL; undefined for what is none of base64. */
export function readDataUrlParts(text: string): { readonly type: string; readonly data: string } | undefined {
  const head = DATA_URL_HEAD.exec(text.slice(0, LONGEST_HEAD));
  return head ? { type: head[1] ?? '', data: text.slice(head[0].length) } : undefined;
}
