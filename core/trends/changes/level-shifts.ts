/**
 * Level shifts of a series: binary segmentation (Scott and Knott, "A cluster analysis method for grouping means", Biometrics 30, 1974) by
 * the maximally selected rank statistic (Lausen and Schumacher, Biometrics 48, 1992). Ranks make no assumption of how values are
 * distributed, and a single extreme value weighs no more than any other.
 */

/** A place in a series from which on the values lie on another level. */
export interface LevelShift {
  /** Of the first value on the new level. */
  readonly index: number;
  /** The probability that values without any order show a shift as clear as this, anywhere among those between the shifts beside it. */
  readonly p_value: number;
}

export interface ShiftSettings {
  /** Among series without any shift, at most so many of all have one found in them. */
  readonly significance: number;
}

/** Values that a level consists of at least. */
export const LEAST_VALUES = 5;
/** Series with fewer have too few orders for any to be rare. */
export const LEAST_LENGTH = 20;
const MAX_SHIFTS = 20;
/** Of the differences of values so many tell how they follow each other. */
const KEPT = 0.9;
const FENCE = 3;

interface Split {
  readonly from: number;
  readonly to: number;
  readonly index: number;
  readonly p_value: number;
}

/** In the order of the series; at most 20, the clearest. Time is n · log n for each that is found. */
export function findLevelShifts(values: readonly number[], { significance }: ShiftSettings): LevelShift[] {
  const isClear = (split: Split | undefined): split is Split => split !== undefined && split.p_value <= significance;
  const open = [findSplit(values, 0, values.length)].filter(isClear);
  const found: number[] = [];
  while (open.length > 0 && found.length < MAX_SHIFTS) {
    const next = open.reduce((a, b) => (b.p_value < a.p_value ? b : a));
    open.splice(open.indexOf(next), 1);
    found.push(next.index);
    open.push(...[findSplit(values, next.from, next.index), findSplit(values, next.index, next.to)].filter(isClear));
  }
  return toRefined(values, found).filter(({ p_value }) => p_value <= significance);
}

/** Looks for each shift again between its neighbours: where it was first found, others beside it had a say. */
function toRefined(values: readonly number[], found: readonly number[]): LevelShift[] {
  const indexes = found.toSorted((a, b) => a - b);
  const shifts: LevelShift[] = [];
  for (const [at] of indexes.entries()) {
    const [from, to] = [indexes[at - 1] ?? 0, indexes[at + 1] ?? values.length];
    const split = splitInterval(values, from, to);
    if (!split) continue;
    indexes[at] = from + findPlace(values.slice(from, to));
    shifts.push({ index: indexes[at], p_value: split.p_value });
  }
  return shifts;
}

/**
 * The place that leaves the least squares around the means of both sides. Ranks say that there is a shift, and err outward where one
 * side is short; values far out are cut off at the outer fences (Tukey, "Exploratory Data Analysis", 1977), so that none decides alone.
 */
function findPlace(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [sorted[Math.floor(sorted.length / 4)]!, sorted[Math.floor((sorted.length * 3) / 4)]!];
  // Where half of all values are the same there is no telling what is far out.
  const reach = high > low ? FENCE * (high - low) : Number.POSITIVE_INFINITY;
  const cut = values.map((value) => Math.min(high + reach, Math.max(low - reach, value)));
  const mean = cut.reduce((sum, value) => sum + value, 0) / cut.length;
  let sum = 0;
  let best = { size: LEAST_VALUES, gain: -1 };
  for (let size = 1; size <= cut.length - LEAST_VALUES; size += 1) {
    sum += cut[size - 1]! - mean;
    const gain = sum ** 2 / (size * (cut.length - size));
    if (size >= LEAST_VALUES && gain > best.gain) best = { size, gain };
  }
  return best.size;
}

/** The clearest split in any of the intervals between two places; undefined where there is none at all. */
function findSplit(values: readonly number[], from: number, to: number): Split | undefined {
  let best: Split | undefined;
  for (const { start, end, weight } of seedIntervals(from, to)) {
    const split = splitInterval(values, start, end);
    const p_value = split && Math.min(1, split.p_value * weight);
    if (split && (best === undefined || p_value! < best.p_value)) best = { from, to, index: split.index, p_value: p_value! };
  }
  return best;
}

interface Interval {
  readonly start: number;
  readonly end: number;
  /** How many times a probability counts, so that all intervals together have no more chances than one alone. */
  readonly weight: number;
}

/**
 * The whole, and intervals of a half, a quarter and so on of its length, each beginning in the middle of the one before it: what goes up
 * and comes down again is a shift in one of them, where it may be none in the whole (Kovács, Bühlmann, Li and Munk, "Seeded binary
 * segmentation", Biometrika 110, 2023). The whole has half of all chances, each length an equal part of the others.
 */
function seedIntervals(from: number, to: number): Interval[] {
  const lengths: number[] = [];
  for (let length = (to - from) / 2; length >= LEAST_LENGTH; length /= 2) lengths.push(length);
  const parts = lengths.flatMap((length) => {
    const count = Math.round((2 * (to - from)) / length) - 1;
    return Array.from({ length: count }, (_, at): Interval => {
      const start = from + Math.floor((at * length) / 2);
      return { start, end: Math.min(to, start + Math.ceil(length)), weight: 2 * lengths.length * count };
    });
  });
  return [{ start: from, end: to, weight: lengths.length === 0 ? 1 : 2 }, ...parts];
}

/** The clearest split of the values from one place up to another; undefined where there are too few of them, or all are the same. */
function splitInterval(values: readonly number[], from: number, to: number): Pick<Split, 'index' | 'p_value'> | undefined {
  const count = to - from;
  if (count < LEAST_LENGTH) return undefined;
  const ranks = toCentredRanks(values.slice(from, to));
  const variance = ranks.reduce((sum, rank) => sum + rank * rank, 0) / (count - 1);
  if (variance === 0) return undefined;
  let sum = 0;
  let best = { size: 0, statistic: -1 };
  for (let size = 1; size <= count - LEAST_VALUES; size += 1) {
    sum += ranks[size - 1]!;
    if (size < LEAST_VALUES) continue;
    const statistic = Math.abs(sum) / Math.sqrt((variance * size * (count - size)) / count);
    if (statistic > best.statistic) best = { size, statistic };
  }
  const statistic = best.statistic * getDiscount(computeAutocorrelation(ranks, best.size));
  return { index: from + best.size, p_value: computeChance(statistic, count) };
}

/** Ranks of the values less their mean; the same values share the middle of their ranks. */
function toCentredRanks(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const ranks = new Map<number, number>();
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (sorted[last + 1] === sorted[first]) last += 1;
    ranks.set(sorted[first]!, (first + last - (sorted.length - 1)) / 2);
    first = last + 1;
  }
  return values.map((value) => ranks.get(value)!);
}

/**
 * How much a value tells of the one after it, once the levels on both sides of a split are taken off: from 0 to 1. By the squares of
 * differences one and two places apart, whose ratio is 1 + ρ where each value is ρ times the one before it and noise. The largest are left
 * out: those are across further shifts on either side.
 */
export function computeAutocorrelation(values: readonly number[], split: number): number {
  const mean = (part: readonly number[]): number => part.reduce((sum, value) => sum + value, 0) / part.length;
  const [before, after] = [mean(values.slice(0, split)), mean(values.slice(split))];
  const rest = values.map((value, at) => value - (at < split ? before : after));
  const apart = (places: number): number => {
    const squares = Float64Array.from(rest.slice(places), (value, at) => (value - rest[at]!) ** 2).sort();
    const kept = squares.subarray(0, Math.ceil(squares.length * KEPT));
    return kept.reduce((sum, square) => sum + square, 0) / kept.length;
  };
  const next = apart(1);
  return next === 0 ? 0 : Math.min(1, Math.max(0, apart(2) / next - 1));
}

/**
 * By how much less a sum of values says that follow each other than one of values that do not (Bayley and Hammersley, "The 'effective'
 * number of independent observations in an autocorrelated time series", 1946): a time of day that comes again each day is no shift.
 */
const getDiscount = (autocorrelation: number): number => Math.sqrt(toEffectiveShare(autocorrelation));

/** Of a number of values so many tell something of their own. */
export function toEffectiveShare(autocorrelation: number): number {
  const known = Math.min(0.999, autocorrelation);
  return (1 - known) / (1 + known);
}

/**
 * The probability that the largest of the standardised statistics of all splits is beyond `statistic`, of values in any order (Miller and
 * Siegmund, "Maximally selected chi square statistics", Biometrics 38, 1982).
 */
export function computeChance(statistic: number, count: number): number {
  if (statistic <= 1) return 1;
  const density = Math.exp((-statistic * statistic) / 2) / Math.sqrt(2 * Math.PI);
  const width = 2 * Math.log((count - LEAST_VALUES) / LEAST_VALUES);
  return Math.min(1, density * ((statistic - 1 / statistic) * width + 4 / statistic));
}
