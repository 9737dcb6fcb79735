import { jsonrepair } from 'jsonrepair';
import { readJson, z } from '../../../core/plugin-sdk/index.ts';

const FENCE = /```[\w-]*\n(.*?)```/s;

/**
 * What in a text may be the JSON that was asked for, best first: all of it, a fenced block, the first object with balanced
 * braces. When none of these is JSON, an object that was begun is repaired: quotes, commas, comments, a missing end.
 */
export function* jsonCandidates(text: string): Generator<unknown> {
  const fenced = FENCE.exec(text)?.[1];
  for (const part of [text, fenced, firstObject(text)]) {
    const value = part === undefined ? undefined : readJson(z.unknown(), part);
    if (value !== undefined) yield value;
  }
  const begun = (fenced ?? text).indexOf('{');
  const value = begun === -1 ? undefined : repaired((fenced ?? text).slice(begun));
  if (value !== undefined) yield value;
}

/** A text that is not closed goes to the end: else each quote in it would be tried as the beginning of one. */
const PIECE = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}]/gs;

/** From the first brace to the one that closes it; braces inside texts do not count. Undefined when it is not closed. */
function firstObject(text: string): string | undefined {
  const start = text.indexOf('{');
  if (start === -1) return undefined;
  let depth = 0;
  PIECE.lastIndex = start;
  for (let found = PIECE.exec(text); found; found = PIECE.exec(text)) {
    if (found[0] === '{') depth += 1;
    if (found[0] === '}') depth -= 1;
    if (depth === 0) return text.slice(start, PIECE.lastIndex);
  }
  return undefined;
}

function repaired(text: string): unknown {
  try {
    return readJson(z.unknown(), jsonrepair(text));
  } catch {
    return undefined;
  }
}
