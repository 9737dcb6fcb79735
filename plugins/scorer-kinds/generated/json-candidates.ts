import { readJson, z } from '../../../core/plugin-sdk/index.ts';

const FENCE = /```[\w-]*\n(.*?)```/s;

/**
 * What in a text may be the JSON that was asked for, best first: all of it, a fenced block, the first object with balanced
 * braces. `repair` is tried on what is left when none of these is JSON.
 */
export function* jsonCandidates(text: string, repair?: (text: string) => string): Generator<unknown> {
  const fenced = FENCE.exec(text)?.[1];
  const balanced = firstObject(text);
  for (const part of [text, fenced, balanced]) {
    const value = part === undefined ? undefined : readJson(z.unknown(), part);
    if (value !== undefined) yield value;
  }
  if (repair) yield readJson(z.unknown(), repair(fenced ?? balanced ?? text));
}

const PIECE = /"(?:[^"\\]|\\.)*"|[{}]/gs;

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
