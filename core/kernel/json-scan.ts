import { ObjectForms } from './object-forms.ts';

/** Limits of a JSON text's content, whatever its length: a parser makes an object of a few bytes, and a name costs it more than a text. */
export interface JsonBounds {
  /** Nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Names in one object. */
  readonly maxNames: number;
  /** Values of any kind in the whole text. */
  readonly maxValues: number;
  /**
   * Names in the whole text, of those that follow the same names in their object only one: a parser keeps a form for each, which costs
   * it twenty times as much as a name that it has seen there.
   */
  readonly maxForms: number;
}

/** Nesting of arrays and objects in a JSON body. */
export const MAX_DEPTH = 128;

/** Of rows of 1,000 columns nearly 1,000, of spans with twenty values each 50,000. Forms: to parse so many takes some 130 ms. */
export const JSON_OF_RECORDS: JsonBounds = { maxDepth: MAX_DEPTH, maxNames: 50_000, maxValues: 1_000_000, maxForms: 60_000 };

export type JsonExcess = 'depth' | 'names' | 'values' | 'forms';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** No member is shorter: `"":0`. */
const BYTES_PER_NAME = 4;

/**
 * Which bound a JSON text goes beyond, if it does. A byte scan: it makes nothing of the text and stops at the first excess. A
 * value is counted at the comma before it, or at the bracket that it opens; text that is not JSON may be told either way.
 */
export function findJsonExcess(
  bytes: Uint8Array,
  { maxDepth, maxNames, maxValues, maxForms }: JsonBounds,
): JsonExcess | undefined {
  const names = new Uint32Array(maxDepth + 2);
  const forms = bytes.length < maxForms * BYTES_PER_NAME ? undefined : emptyForms(maxDepth, maxForms);
  let depth = 0;
  let values = 1;
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      start = at + 1;
      at = endOfString(bytes, at);
    } else if (byte === COMMA) {
      values += 1;
      if (values > maxValues) return 'values';
    } else if (byte === COLON) {
      names[depth]! += 1;
      if (names[depth]! > maxNames) return 'names';
      if (forms?.isBeyond(depth, bytes, start)) return 'forms';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'depth';
      if (values > maxValues) return 'values';
      names[depth] = 0;
      forms?.open(depth);
    } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && depth > 0) depth -= 1;
  }
  return undefined;
}

const tables = new Map<string, ObjectForms>();

/** Of some bounds, of which there are few, always the same table: it is half a mebibyte, and nobody scans two texts at once. */
function emptyForms(maxDepth: number, maxForms: number): ObjectForms {
  const key = `${maxDepth} ${maxForms}`;
  const table = tables.get(key) ?? new ObjectForms(maxDepth, maxForms);
  tables.set(key, table);
  table.reset();
  return table;
}

/** So far a string is read byte by byte; the rest of a long one is left to native search. */
const SHORT_STRING = 24;

/** Index of the quote that ends the string opened at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + SHORT_STRING, bytes.length);
  for (let at = start + 1; at < near; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  let at = Math.max(near - 1, start);
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at === -1) return bytes.length;
    let escapes = 0;
    while (bytes[at - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
}
