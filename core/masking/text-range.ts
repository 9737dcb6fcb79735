/** Part of a text, in UTF-16 units; `end` is not in it. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Adds a range that ends behind all others; what overlaps or touches becomes one. */
export function addRange(ranges: TextRange[], start: number, end: number): void {
  let from = start;
  for (let last = ranges.at(-1); last !== undefined && last.end >= from; last = ranges.at(-1)) {
    from = Math.min(from, last.start);
    ranges.pop();
  }
  ranges.push({ start: from, end });
}
