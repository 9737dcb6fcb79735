/** Numbers of values of one bin in both windows. */
export interface BinCounts {
  readonly reference_count: number;
  readonly current_count: number;
}

export const CHANGES = ['none', 'moderate', 'significant'] as const;
export type Change = (typeof CHANGES)[number];

/** From here on a change is said to be moderate, and significant: Lewis, "An Introduction to Credit Scoring" (1992). */
const MODERATE = 0.1;
const SIGNIFICANT = 0.25;
/** Stands for the count of an empty bin: its share has a logarithm then, and weighs less the more was counted. */
const EMPTY = 0.5;
/** The standard normal distribution's quantile of 95 %. */
const Z_95 = 1.6449;

/**
 * The population stability index: the sum of (c − r) · ln(c / r) over the shares r and c that each bin has of the reference and of the
 * current window. It is the divergence of Jeffreys ("An invariant form for the prior probability in estimation problems", Proceedings of
 * the Royal Society A 186, 1946) between the two. Null where a window is empty.
 */
export function computeStability(bins: readonly BinCounts[]): number | null {
  const { reference, current } = getTotals(bins);
  if (reference === 0 || current === 0) return null;
  return getFilled(bins).reduce((sum, bin) => {
    const r = (bin.reference_count || EMPTY) / reference;
    const c = (bin.current_count || EMPTY) / current;
    return sum + (c - r) * Math.log(c / r);
  }, 0);
}

/**
 * The index that 95 of 100 pairs of windows of these sizes stay below when nothing has changed: (1/n + 1/m)⁻¹ times the index then follows
 * the chi-squared distribution with one degree of freedom less than there are bins (Yurdakul, "Statistical Properties of Population
 * Stability Index", Western Michigan University 2018). Null where a window is empty.
 */
export function computeChanceLevel(bins: readonly BinCounts[]): number | null {
  const { reference, current } = getTotals(bins);
  if (reference === 0 || current === 0) return null;
  return computeChiSquared95(getFilled(bins).length - 1) * (1 / reference + 1 / current);
}

/** A change that chance would bring as well is none, however large it looks in a small window. */
export function toChange(stability: number, chance: number): Change {
  if (stability < MODERATE || stability <= chance) return 'none';
  return stability < SIGNIFICANT ? 'moderate' : 'significant';
}

/** The quantile of 95 %, by the cube of a normal one (Wilson and Hilferty, PNAS 17, 1931): off by less than 3 %. */
export function computeChiSquared95(degrees: number): number {
  if (degrees < 1) return 0;
  const variance = 2 / (9 * degrees);
  return degrees * (1 - variance + Z_95 * Math.sqrt(variance)) ** 3;
}

const getFilled = (bins: readonly BinCounts[]): BinCounts[] =>
  bins.filter(({ reference_count, current_count }) => reference_count + current_count > 0);

const getTotals = (bins: readonly BinCounts[]) => ({
  reference: bins.reduce((sum, { reference_count }) => sum + reference_count, 0),
  current: bins.reduce((sum, { current_count }) => sum + current_count, 0),
});
