import { computeBucket } from '../../record-index/sketch.ts';
import type { Amount } from './metric-series.ts';
import type { BucketRow, ExplicitBuckets, ExponentialBuckets, OtlpHistogram } from './otlp-metric.ts';

/** Buckets of one histogram: some hundreds are usual at most. */
export const MAX_BUCKETS = 2_000;
const MAX_SCALE = 20;
const MIN_SCALE = -10;
const MAX_OFFSET = 2 ** 31;
/** Values of one bucket are taken to be spread evenly over so many places. */
const PLACES = 10;

/** Values that lie above `low` and up to `high`. */
interface Cell {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

const isExplicit = (buckets: OtlpHistogram['buckets']): buckets is ExplicitBuckets => 'bounds' in buckets;

/** Why a histogram makes no sense; undefined where it does. */
export function findHistogramFault({ count, sum, min, max, buckets }: OtlpHistogram): string | undefined {
  const rows = isExplicit(buckets) ? [buckets.counts] : [buckets.positive.counts, buckets.negative.counts];
  const counts = [count, ...rows.flat(), ...(isExplicit(buckets) ? [] : [buckets.zero_count])];
  if (rows.some((row) => row.length > MAX_BUCKETS)) return `a histogram has more than ${MAX_BUCKETS} buckets`;
  if (!counts.every((one) => Number.isSafeInteger(one) && one >= 0)) return 'a count of a histogram is no count';
  if ([sum, min, max].some((one) => one !== null && !Number.isFinite(one))) return 'a number of a histogram is not finite';
  return isExplicit(buckets) ? findBoundsFault(buckets) : findScaleFault(buckets);
}

function findBoundsFault({ bounds, counts }: ExplicitBuckets): string | undefined {
  if (counts.length > 0 && counts.length !== bounds.length + 1) return 'a histogram has not one bucket more than bounds';
  const isRising = bounds.every((bound, at) => Number.isFinite(bound) && (at === 0 || bounds[at - 1]! < bound));
  return isRising ? undefined : 'the bounds of a histogram do not rise';
}

function findScaleFault({ scale, positive, negative }: ExponentialBuckets): string | undefined {
  if (!Number.isInteger(scale) || scale < MIN_SCALE || scale > MAX_SCALE)
    return `the scale of a histogram is not from ${MIN_SCALE} to ${MAX_SCALE}`;
  const isFar = [positive, negative].some(({ offset }) => !Number.isInteger(offset) || Math.abs(offset) > MAX_OFFSET);
  return isFar ? 'the offset of a histogram is out of range' : undefined;
}

/**
 * The values that came between two histograms of one stream, each of which counts from its beginning. Undefined where the later one has
 * less of anything, or other bounds: they do not belong to one stream then. Least and greatest are those of all values since the beginning.
 */
export function computeGrowth(later: OtlpHistogram, earlier: OtlpHistogram): OtlpHistogram | undefined {
  const buckets = computeBucketGrowth(later.buckets, earlier.buckets);
  const count = later.count - earlier.count;
  if (!buckets || count < 0) return undefined;
  const sum = later.sum === null || earlier.sum === null ? null : later.sum - earlier.sum;
  return { count, sum, min: later.min, max: later.max, buckets };
}

function computeBucketGrowth(later: OtlpHistogram['buckets'], earlier: OtlpHistogram['buckets']) {
  if (isExplicit(later) !== isExplicit(earlier)) return undefined;
  return isExplicit(later)
    ? computeExplicitGrowth(later, earlier as ExplicitBuckets)
    : computeExponentialGrowth(later, earlier as ExponentialBuckets);
}

function computeExplicitGrowth(later: ExplicitBuckets, earlier: ExplicitBuckets): ExplicitBuckets | undefined {
  const { bounds } = later;
  const isSame = bounds.length === earlier.bounds.length && bounds.every((bound, at) => bound === earlier.bounds[at]);
  const counts = later.counts.map((count, at) => count - (earlier.counts[at] ?? 0));
  return isSame && counts.every((count) => count >= 0) ? { bounds, counts } : undefined;
}

/** Senders halve the resolution as values spread: the finer one of the two is made as coarse as the other. */
function computeExponentialGrowth(later: ExponentialBuckets, earlier: ExponentialBuckets): ExponentialBuckets | undefined {
  const scale = Math.min(later.scale, earlier.scale);
  const [now, before] = [toScale(later, scale), toScale(earlier, scale)];
  const zero_count = now.zero_count - before.zero_count;
  const [positive, negative] = [subtract(now.positive, before.positive), subtract(now.negative, before.negative)];
  return positive && negative && zero_count >= 0 ? { scale, zero_count, positive, negative } : undefined;
}

const toScale = ({ scale: from, zero_count, positive, negative }: ExponentialBuckets, scale: number): ExponentialBuckets => ({
  scale,
  zero_count,
  positive: toCoarser(positive, from - scale),
  negative: toCoarser(negative, from - scale),
});

/** Each step puts two buckets into one. */
function toCoarser({ offset, counts }: BucketRow, steps: number): BucketRow {
  if (steps === 0 || counts.length === 0) return { offset, counts };
  const toIndex = (index: number): number => Math.floor(index / 2 ** steps);
  const first = toIndex(offset);
  const coarser = new Array<number>(toIndex(offset + counts.length - 1) - first + 1).fill(0);
  for (const [at, count] of counts.entries()) coarser[toIndex(offset + at) - first]! += count;
  return { offset: first, counts: coarser };
}

function subtract(later: BucketRow, earlier: BucketRow): BucketRow | undefined {
  const counts = [...later.counts];
  for (const [at, count] of earlier.counts.entries()) {
    const place = earlier.offset + at - later.offset;
    if (count > (counts[place] ?? 0)) return undefined;
    if (count > 0) counts[place]! -= count;
  }
  return { offset: later.offset, counts };
}

/**
 * The values of a histogram as numbers of a series: undefined where there are none. Within a bucket values are taken to be spread evenly, so
 * percentiles are as good as the bounds that the sender chose; least and greatest are the bounds of buckets where the sender does not state them.
 */
export function toAmount(histogram: OtlpHistogram): Amount | undefined {
  const { count, sum } = histogram;
  if (count === 0) return undefined;
  if (count === 1 && sum !== null) return { count, sum, min: sum, max: sum, sketch: { [computeBucket(sum)]: 1 } };
  const cells = toCells(histogram);
  const mean = sum === null ? 0 : sum / count;
  const [min, max] = [cells.at(0)?.low ?? histogram.min ?? mean, cells.at(-1)?.high ?? histogram.max ?? mean];
  const middles = cells.reduce((total, cell) => total + (cell.count * (cell.low + cell.high)) / 2, 0);
  const sketch: Record<string, number> = {};
  for (const cell of cells.length > 0 ? cells : [{ low: min, high: max, count }]) spread(cell, sketch);
  return { count, sum: sum ?? middles, min, max, sketch };
}

/** Buckets that hold values, from the least to the greatest; none of them reaches beyond the least and greatest value that are stated. */
function toCells({ min, max, sum, count, buckets }: OtlpHistogram): Cell[] {
  const within = (value: number): number => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, value));
  const cells = isExplicit(buckets)
    ? toExplicitCells(buckets, min, max, sum === null ? 0 : sum / count)
    : toExponentialCells(buckets);
  return cells.filter((cell) => cell.count > 0).map((cell) => ({ ...cell, low: within(cell.low), high: within(cell.high) }));
}

/** An open bucket ends at the value that is stated, else at zero, the bound that it has, or the mean where there are no bounds. */
function toExplicitCells({ bounds, counts }: ExplicitBuckets, min: number | null, max: number | null, mean: number): Cell[] {
  const [first, last] = [bounds[0] ?? mean, bounds.at(-1) ?? mean];
  return counts.map((count, at) => ({
    low: at === 0 ? (min ?? Math.min(0, first)) : bounds[at - 1]!,
    high: at === bounds.length ? (max ?? last) : bounds[at]!,
    count,
  }));
}

function toExponentialCells({ scale, zero_count, positive, negative }: ExponentialBuckets): Cell[] {
  const bound = (index: number): number => Math.min(Number.MAX_VALUE, 2 ** (index * 2 ** -scale));
  const above = positive.counts.map((count, at) => {
    const index = positive.offset + at;
    return { low: bound(index), high: bound(index + 1), count };
  });
  const below = negative.counts.map((count, at) => {
    const index = negative.offset + at;
    return { low: -bound(index + 1), high: -bound(index), count };
  });
  return [...below.reverse(), { low: 0, high: 0, count: zero_count }, ...above];
}

function spread({ low, high, count }: Cell, into: Record<string, number>): void {
  const places = low === high ? 1 : Math.min(PLACES, count);
  for (let place = 0; place < places; place += 1) {
    const share = Math.floor((count * (place + 1)) / places) - Math.floor((count * place) / places);
    const bucket = computeBucket(low + (high - low) * ((place + 0.5) / places));
    into[bucket] = (into[bucket] ?? 0) + share;
  }
}
