/** Two-sided 95 % of the standard normal distribution. */
const Z = 1.959963984540054;

/** A share with the interval that it would lie in for other rows of the same kind. */
export interface Share {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Of how many rows. */
  readonly n: number;
}

/**
 * `hits` of `n` with the Wilson score interval at 95 %, which unlike the normal approximation stays between 0 and 1 and holds for few
 * rows. Null without rows. E. B. Wilson, JASA 22 (1927), 209–212.
 */
export function toShare(hits: number, n: number): Share | null {
  if (n === 0) return null;
  const value = hits / n;
  const square = Z * Z;
  const middle = (value + square / (2 * n)) / (1 + square / n);
  const half = (Z / (1 + square / n)) * Math.sqrt((value * (1 - value)) / n + square / (4 * n * n));
  return { value, low: Math.max(0, middle - half), high: Math.min(1, middle + half), n };
}

/**
 * How many rows it takes for the interval of a share like this one to be at most `margin` on each side: z² p (1 − p) / margin², with p the
 * bound of the interval that is nearer to one half, so that a share of 1 out of 3 is not taken at its word.
 * W. G. Cochran, Sampling Techniques, 3rd ed. (1977), 4.4.
 */
export function countRowsNeeded({ low, high }: Share, margin: number): number {
  const p = low > 0.5 ? low : high < 0.5 ? high : 0.5;
  return Math.ceil((Z * Z * p * (1 - p)) / (margin * margin));
}
