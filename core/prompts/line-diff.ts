/** Lines that follow on each other in one text, in the other, or in both. */
export interface LineBlock {
  readonly change: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Lines that are compared one by one; what follows on them counts as one more. */
const MAX_LINES = 20_000;

/**
 * The difference of two texts, line by line: patience diff, on lines that both texts have once. It takes time in proportion to
 * the lines, and to the logarithm of how many of them are anchors.
 */
export function diffLines(before: string, after: string): LineBlock[] {
  const [a, b] = [toLines(before), toLines(after)];
  const blocks = new Blocks();
  let [i, j] = [0, 0];
  for (const [x, y] of [...anchors(a, b), [a.length, b.length] as const]) {
    if (x < i || y < j) continue;
    diffGap(a.slice(i, x), b.slice(j, y), blocks);
    if (x < a.length && y < b.length) blocks.add('same', [a[x]!]);
    [i, j] = [x + 1, y + 1];
  }
  return blocks.done();
}

function toLines(text: string): string[] {
  const lines = text.split('\n');
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), lines.slice(MAX_LINES).join('\n')];
}

/** Between two anchors: what both begin and end with is the same, the rest was replaced. */
function diffGap(a: readonly string[], b: readonly string[], blocks: Blocks): void {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  blocks.add('same', a.slice(0, start));
  blocks.add('removed', a.slice(start, a.length - end));
  blocks.add('added', b.slice(start, b.length - end));
  blocks.add('same', a.slice(a.length - end));
}

/** Places of lines that both texts have exactly once, as many as stand in the same order in both. */
function anchors(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const [inA, inB] = [uniquePlaces(a), uniquePlaces(b)];
  const pairs = [...inA].flatMap(([line, x]): [number, number][] => {
    const y = inB.get(line);
    return x < 0 || y === undefined || y < 0 ? [] : [[x, y]];
  });
  return longestIncreasing(pairs.sort(([x], [y]) => x - y));
}

function uniquePlaces(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** The longest run of pairs whose second numbers rise: patience sorting. */
function longestIncreasing(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tops: number[] = [];
  const previous: number[] = [];
  for (const [at, [, y]] of pairs.entries()) {
    const pile = firstPile(tops, (top) => pairs[top]![1] >= y);
    previous[at] = pile === 0 ? -1 : tops[pile - 1]!;
    tops[pile] = at;
  }
  const found: (readonly [number, number])[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at]!) found.push(pairs[at]!);
  return found.reverse();
}

function firstPile(tops: readonly number[], isHigh: (top: number) => boolean): number {
  let [low, high] = [0, tops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isHigh(tops[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Neighbours of one kind become one block. */
class Blocks {
  readonly #blocks: { change: LineBlock['change']; lines: string[] }[] = [];

  add(change: LineBlock['change'], lines: readonly string[]): void {
    if (lines.length === 0) return;
    const last = this.#blocks.at(-1);
    if (last?.change !== change) this.#blocks.push({ change, lines: [...lines] });
    else for (const line of lines) last.lines.push(line);
  }

  done(): LineBlock[] {
    return this.#blocks.map(({ change, lines }) => ({ change, text: lines.join('\n') }));
  }
}
