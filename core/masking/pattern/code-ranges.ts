/** Code points from the first to the last, both included. */
export type CodeRange = readonly [from: number, to: number];

const LAST = 0x10ffff;

export const WORDS: readonly CodeRange[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];

/** As `\s` in JavaScript. */
export const SPACES: readonly CodeRange[] = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** All code points that are in none of the ranges. */
export function invert(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const inverse: CodeRange[] = [];
  let next = 0;
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (from > next) inverse.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return next <= LAST ? [...inverse, [next, LAST]] : inverse;
}

const MAX_FOLDED = 1_000;

/** With the other case of each character; of large ranges beyond ASCII nothing is added. */
export function foldCase(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const folded: CodeRange[] = [...ranges];
  for (const [from, to] of ranges) {
    const last = Math.min(to, to - from > MAX_FOLDED ? 0x7f : to);
    for (let code = from; code <= last; code += 1) {
      const char = String.fromCodePoint(code);
      for (const other of [char.toLowerCase(), char.toUpperCase()]) {
        const point = other.codePointAt(0)!;
        if (point !== code && String.fromCodePoint(point) === other) folded.push([point, point]);
      }
    }
  }
  return folded;
}

export const isWithin = (ranges: readonly CodeRange[], code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to);
