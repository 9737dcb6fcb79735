import { computeBounds, type Sketch, toPlace } from '../../record-index/sketch.ts';
import type { BinCounts } from './stability.ts';

/** Values above `lower` and up to `upper`; null: without end. */
export interface ValueBin extends BinCounts {
  readonly lower: number | null;
  readonly upper: number | null;
}

const BINS = 10;

/**
 * Bins of both windows, made from the reference alone: about ten of equal share, or one for each of up to ten values that are apart. A value
 * that holds a tenth of the reference by itself is a bin of its own, since few others beside it would not be seen. What lies beyond all
 * of the reference has a bin at each end.
 */
export function toBins(reference: Sketch, current: Sketch): ValueBin[] {
  const groups = toGroups(reference);
  if (groups.length === 0) return [];
  const ends = groups.map((group) => toPlace(group.at(-1)!));
  const counts = countByBin(current, toPlace(groups[0]![0]!), ends);
  const uppers = groups.map((group) => rounded(computeBounds(group.at(-1)!).upper));
  const lowest = rounded(computeBounds(groups[0]![0]!).lower);
  const inside = groups.map((group, index) => ({
    lower: index === 0 ? lowest : uppers[index - 1]!,
    upper: uppers[index]!,
    reference_count: sumOf(reference, group),
    current_count: counts[index + 1]!,
  }));
  const below = { lower: null, upper: lowest, reference_count: 0, current_count: counts[0]! };
  const above = { lower: uppers.at(-1)!, upper: null, reference_count: 0, current_count: counts.at(-1)! };
  return [below, ...inside, above].filter((bin) => bin.reference_count + bin.current_count > 0);
}

/** The buckets of the reference, some side by side in each group. */
function toGroups(reference: Sketch): string[][] {
  const buckets = Object.keys(reference).sort((a, b) => toPlace(a) - toPlace(b));
  if (buckets.length <= BINS) return buckets.map((bucket) => [bucket]);
  const share = sumOf(reference, buckets) / BINS;
  const groups: string[][] = [];
  let left = 0;
  for (const bucket of buckets) {
    const count = reference[bucket]!;
    if (left <= 0 || count >= share) {
      groups.push([]);
      left = share;
    }
    groups.at(-1)!.push(bucket);
    left -= count;
  }
  return groups;
}

/** How many values lie below the first group, in each, and above the last. */
function countByBin(current: Sketch, first: number, ends: readonly number[]): number[] {
  const counts = Array.from({ length: ends.length + 2 }, () => 0);
  const buckets = Object.entries(current).sort(([a], [b]) => toPlace(a) - toPlace(b));
  let at = 0;
  for (const [bucket, count] of buckets) {
    const place = toPlace(bucket);
    while (at < ends.length && place > ends[at]!) at += 1;
    counts[place < first ? 0 : at + 1]! += count;
  }
  return counts;
}

const sumOf = (sketch: Sketch, buckets: readonly string[]): number => buckets.reduce((sum, bucket) => sum + sketch[bucket]!, 0);

/** A sketch knows values to a hundredth. */
const rounded = (value: number): number => Number(value.toPrecision(3));
