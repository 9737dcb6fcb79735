/** When something began and ended, in microseconds since 1970; undefined when it is not known how long it took. */
export interface Stretch {
  readonly start: number;
  readonly end: number | undefined;
}

/** Microseconds since 1970: a Date has no more than thousandths. */
export function computeMicros(iso: string): number {
  const fraction = /\.(\d+)/.exec(iso)?.[1] ?? '';
  return Math.trunc(Date.parse(iso)) * 1000 + Number(fraction.padEnd(6, '0').slice(3, 6));
}

/** From the first start to the last end of a trace, in microseconds. */
export interface TimeScale {
  readonly start: number;
  readonly length: number;
}

export function computeScale(steps: readonly Stretch[]): TimeScale {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { start, end } of steps) {
    first = Math.min(first, start);
    last = Math.max(last, end ?? start);
  }
  return { start: first, length: Math.max(last - first, 0) };
}

/** Where a step lies on the scale, in shares of it. */
export function placeOn({ start, length }: TimeScale, { start: from, end }: Stretch): { left: number; width: number } {
  if (length === 0) return { left: 0, width: end === undefined ? 0 : 1 };
  const left = (from - start) / length;
  return { left, width: ((end ?? from) - from) / length };
}

const STEPS = [1, 2, 5, 10];

/** Behind this share of the axis there is no room for the words of a mark. */
const ROOM = 0.85;

/** Round moments to mark, in microseconds from the start, which is one of them; at most five. */
export function computeTicks({ length }: TimeScale): number[] {
  if (length <= 0) return [0];
  const rough = length / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * STEPS.find((one) => one * power >= rough)!;
  return Array.from({ length: Math.floor((length * ROOM) / step) + 1 }, (_, at) => at * step);
}
