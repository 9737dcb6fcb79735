import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { boundJsonBytes } from '../kernel/value-size.ts';
import { isInlineMedia } from '../plugin-sdk/otel/inline-media.ts';

/** Characters of one text. */
export const MAX_TEXT = 1_048_576;
/** Bytes of one record as JSON. */
export const MAX_MAPPED_BYTES = 4 * 1_048_576;

/** The start of a text, never a lone surrogate, with a mark that something is missing. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** A text a database can hold: no NUL, no lone surrogates, of bounded length. */
export function storableText(text: string, max = MAX_TEXT, onCut?: () => void): string {
  if (text.length > max) onCut?.();
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return cut(whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole, max);
}

/**
 * The same value with storable texts and keys in it, and null for numbers that JSON does not have. Most values are storable as
 * they are, and are not copied. `onCut` is called for each text that was too long.
 */
export function storable(value: JsonValue, onCut?: () => void): JsonValue {
  if (typeof value === 'string') return storableText(value, MAX_TEXT, onCut);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? storableItems(value, onCut) : storableObject(value as JsonObject, onCut);
}

/** As `storable`, for what a span was given or returned: media in its messages stay whole, since they become files. */
export const storablePayload = (payload: JsonValue, onCut?: () => void): JsonValue =>
  mapContent(payload, (part) => (isInlineMedia(part) ? part : storable(part, onCut))) ?? storable(payload, onCut);

/** A payload without the media in its messages: what it takes of a record once they are files. */
const withoutMedia = (payload: JsonValue): JsonValue =>
  mapContent(payload, (part) => (isInlineMedia(part) ? { type: 'file', modality: part.modality } : part)) ?? payload;

/** The payload with the content parts of its messages changed; undefined where no message has media. */
function mapContent(payload: JsonValue, change: (part: JsonValue) => JsonValue): JsonValue | undefined {
  const messages: readonly JsonValue[] = Array.isArray(payload) ? payload : [payload];
  if (!messages.some(hasMedia)) return undefined;
  const changed = messages.map((message) => {
    if (!hasMedia(message)) return change(message);
    const { content, ...rest } = message;
    return { ...(change(rest) as JsonObject), content: content.map(change) };
  });
  return Array.isArray(payload) ? changed : changed[0]!;
}

const hasMedia = (message: JsonValue): message is JsonObject & { readonly content: readonly JsonValue[] } => {
  const content = typeof message === 'object' && message !== null ? (message as JsonObject).content : undefined;
  return Array.isArray(content) && content.some(isInlineMedia);
};

function storableItems(items: readonly JsonValue[], onCut?: () => void): JsonValue {
  let copy: JsonValue[] | undefined;
  for (const [at, item] of items.entries()) {
    const kept = storable(item, onCut);
    if (kept !== item) copy ??= items.slice(0, at);
    copy?.push(kept);
  }
  return copy ?? items;
}

function storableObject(object: JsonObject, onCut?: () => void): JsonValue {
  const keys = Object.keys(object);
  let copy: [string, JsonValue][] | undefined;
  for (const [at, key] of keys.entries()) {
    const [name, kept] = [storableText(key), storable(object[key]!, onCut)];
    if (name !== key || kept !== object[key]) copy ??= keys.slice(0, at).map((before) => [before, object[before]!]);
    copy?.push([name, kept]);
  }
  return copy ? Object.fromEntries(copy) : object;
}

/** Whether a record takes more bytes as JSON than it may, beside media that become files. Written as JSON only when its length leaves room for doubt. */
export function isTooLarge(record: { readonly input: unknown; readonly output: unknown }): boolean {
  const value = { ...record, input: withoutMedia(record.input as JsonValue), output: withoutMedia(record.output as JsonValue) };
  if (boundJsonBytes(value) <= MAX_MAPPED_BYTES) return false;
  return new TextEncoder().encode(JSON.stringify(value)).length > MAX_MAPPED_BYTES;
}

/** A list as JSON text of bounded length: the first items that fit, whole, and how many did not. */
export function toListText(items: readonly object[], max: number): { readonly text: string; readonly left_out: number } {
  const texts: string[] = [];
  let length = 2;
  for (const item of items) {
    const text = JSON.stringify(item);
    length += text.length + 1;
    if (length > max) break;
    texts.push(text);
  }
  return { text: texts.length === 0 ? '' : `[${texts.join(',')}]`, left_out: items.length - texts.length };
}
