import type { JsonObject, JsonValue } from '../kernel/json.ts';

/** Characters of one text. */
export const MAX_TEXT = 1_048_576;
/** Bytes of one record as JSON. */
export const MAX_MAPPED_BYTES = 4 * 1_048_576;
const MAX_BYTES_PER_UNIT = 3;

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
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => storable(item, onCut));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value).map(([key, child]) => [storableText(key), storable(child, onCut)] as const);
  return isOf(value as JsonObject, entries) ? value : Object.fromEntries(entries);
}

/** Whether an object has these entries already. */
const isOf = (value: JsonObject, entries: readonly (readonly [string, JsonValue])[]): boolean =>
  entries.every(([key, child]) => Object.hasOwn(value, key) && value[key] === child);

/** Whether a value takes more bytes as JSON than a record may. Counts bytes only when the length leaves room for doubt. */
export function isTooLarge(value: object): boolean {
  const json = JSON.stringify(value);
  if (json.length * MAX_BYTES_PER_UNIT <= MAX_MAPPED_BYTES) return false;
  return new TextEncoder().encode(json).length > MAX_MAPPED_BYTES;
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
