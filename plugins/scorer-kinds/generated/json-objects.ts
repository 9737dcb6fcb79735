import { jsonrepair } from 'jsonrepair';
import { readJson, z } from '../../../core/plugin-sdk/index.ts';

/** An object in a text, outside of any other. */
export interface FoundObject {
  readonly value: Readonly<Record<string, unknown>>;
  /** Whether nothing but the end of a fenced block, and punctuation, follows. */
  readonly isLast: boolean;
}

interface Region {
  readonly start: number;
  readonly end: number;
}

const AnObject = z.record(z.string(), z.unknown());

/** Characters that may stand behind an object that ends a text. */
const CLOSING = /^[\s`.!)\]]*$/;
/** A region that is no JSON is repaired, and a repair costs far more than a look; only the last ones can be the answer. */
const MAX_REPAIRED = 8;
const MAX_REPAIRED_CHARS = 200_000;
/** A string that is not closed goes to the end: else each quote in it would be tried as the beginning of one. */
const PIECE = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/gs;
const FENCE = /```[\w-]*\n(.*?)```/gs;

/**
 * All objects of a text in their order, found in one pass: each from a brace outside of others to the one that closes it, braces inside
 * strings not counted; the last may be cut off. What is no JSON is repaired: quotes, commas, comments, a missing end. Linear in the
 * length of the text.
 */
export function objectsIn(text: string): FoundObject[] {
  const parts = regionsIn(text).map(({ start, end }) => ({ end, part: text.slice(start, end) }));
  const read = parts.map(({ end, part }) => ({ end, part, value: readJson(AnObject, part) }));
  const repairable = new Set(read.filter(({ value }) => !value).slice(-MAX_REPAIRED));
  return read.flatMap((one): FoundObject[] => {
    const value = one.value ?? (repairable.has(one) ? repaired(one.part) : undefined);
    return value ? [{ value, isLast: one === read.at(-1) && CLOSING.test(text.slice(one.end)) }] : [];
  });
}

/** Parses the last fenced block, when it is JSON. */
export function fencedIn(text: string): unknown {
  const last = [...text.matchAll(FENCE)].at(-1)?.[1];
  return last === undefined ? undefined : readJson(z.unknown(), last);
}

function regionsIn(text: string): Region[] {
  const regions: Region[] = [];
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', regions.at(-1)!.end))
    regions.push({ start, end: getEnd(text, start) });
  return regions;
}

/** Behind the brace that closes the one at `start`; the end of the text where none does. */
function getEnd(text: string, start: number): number {
  let depth = 0;
  PIECE.lastIndex = start;
  for (let found = PIECE.exec(text); found; found = PIECE.exec(text)) {
    if (found[0] === '{') depth += 1;
    if (found[0] === '}') depth -= 1;
    if (depth === 0) return PIECE.lastIndex;
  }
  return text.length;
}

function repaired(part: string): Readonly<Record<string, unknown>> | undefined {
  if (part.length > MAX_REPAIRED_CHARS) return undefined;
  try {
    return readJson(AnObject, jsonrepair(part));
  } catch {
    return undefined;
  }
}
