import type { Piece } from './material.ts';

const HEAD = 0.7;

export interface Cut {
  readonly pieces: readonly Piece[];
  readonly truncated: boolean;
}

/**
 * Pieces that together have at most `limit` characters: the longest are cut in the middle, down to one length. What says
 * that something was left out comes on top.
 */
export function cutToFit(pieces: readonly Piece[], limit: number): Cut {
  const longest = computeCap(
    pieces.map(({ text }) => text.length),
    limit,
  );
  const cut = pieces.map(({ name, text }) => ({ name, text: text.length > longest ? shortened(text, longest) : text }));
  return { pieces: cut, truncated: pieces.some(({ text }) => text.length > longest) };
}

/** The greatest length such that texts cut to it fit together. */
function computeCap(lengths: readonly number[], limit: number): number {
  let rest = limit;
  const ascending = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(rest / (ascending.length - index));
    if (length > share) return share;
    rest -= length;
  }
  return limit;
}

/** 70 % from the beginning and 30 % from the end; a pair of surrogates stays whole. */
function shortened(text: string, length: number): string {
  const head = wholeAt(text, Math.floor(length * HEAD));
  const tail = wholeAt(text, text.length - (length - Math.floor(length * HEAD)));
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}

const wholeAt = (text: string, at: number): number => (isPairAt(text, at) ? at + 1 : at);

const isPairAt = (text: string, at: number): boolean =>
  /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
