import { computeQuantile, summed } from '../record-index/sketch.ts';
import type { Numbers } from './series-store.ts';
import type { Aggregation } from './widget.ts';

/** The share of numbers below a percentile. */
export const QUANTILES: Readonly<Partial<Record<Aggregation, number>>> = { P50: 0.5, P90: 0.9, P95: 0.95, P99: 0.99 };

export const NO_NUMBERS: Numbers = {
  count: 0,
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  zeros: 0,
  sketch: null,
  quantile: null,
};

/** The figure that an aggregation makes of numbers. Of none, counts and sums are 0 and all others null. Percentages go to 100. */
export function toFigure(aggregation: Aggregation, numbers: Numbers): number | null {
  const { count, sum, min, max, zeros } = numbers;
  if (aggregation === 'Count') return count;
  if (aggregation === 'Sum') return sum;
  if (count === 0) return null;
  switch (aggregation) {
    case 'Average':
      return sum / count;
    case 'Min':
      return min;
    case 'Max':
      return max;
    case 'PercentageFalse':
      return (100 * zeros) / count;
    case 'PercentageTrue':
      return (100 * (count - zeros)) / count;
    default:
      return computePercentile(QUANTILES[aggregation]!, numbers);
  }
}

/** From a sketch it may be off by its error, yet never beyond the least and the greatest number. */
function computePercentile(share: number, { quantile, sketch, min, max }: Numbers): number | null {
  if (quantile !== null || sketch === null) return quantile;
  const found = computeQuantile(sketch, share);
  return found === null ? null : Math.min(max, Math.max(min, found));
}

/** Several sets taken together; sketches add up, quantiles do not. */
export function together(sets: readonly Numbers[]): Numbers {
  const sketches = sets.map(({ sketch }) => sketch).filter((sketch) => sketch !== null);
  const sum = (read: (set: Numbers) => number): number => sets.reduce((total, set) => total + read(set), 0);
  return {
    count: sum(({ count }) => count),
    sum: sum((set) => set.sum),
    min: sets.reduce((least, { min }) => Math.min(least, min), NO_NUMBERS.min),
    max: sets.reduce((greatest, { max }) => Math.max(greatest, max), NO_NUMBERS.max),
    zeros: sum(({ zeros }) => zeros),
    sketch: sketches.length > 0 ? summed(sketches) : null,
    quantile: null,
  };
}
