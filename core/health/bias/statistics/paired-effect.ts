import { bootstrapInterval } from '../../bootstrap.ts';

export interface Effect {
  /** The mean difference. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 % of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * The mean of paired differences with its interval at 95 %. Null for fewer than two. Where all are −1, 0 or 1, so of two shares, the
 * interval of Agresti and Min, else the percentile bootstrap, within which all equal differences have no width.
 */
export async function measureEffect(differences: readonly number[], pause: () => Promise<void>): Promise<Effect | null> {
  const { length } = differences;
  if (length < 2) return null;
  const value = computeMean(differences);
  if (differences.every((difference) => Math.abs(difference) === 1 || difference === 0))
    return { value, ...toShareInterval(differences) };
  const meanOver = (drawn: Uint32Array) => drawn.reduce((sum, at) => sum + differences[at]!, 0) / length;
  const interval = await bootstrapInterval(length, meanOver, pause);
  return interval && { value, low: interval.low, high: interval.high };
}

export const computeMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Of the difference of two shares of the same subjects: Wald's interval after half a subject was added to each of the four cells, so
 * that it has a width where all changed alike. A. Agresti and Y. Min, Statistics in Medicine 24 (2005), 729–740, "Wald+2".
 */
export function toShareInterval(differences: readonly number[]): { low: number; high: number } {
  const n = differences.length + 2;
  const up = differences.filter((difference) => difference === 1).length;
  const down = differences.filter((difference) => difference === -1).length;
  const middle = (up - down) / n;
  const half = (Z * Math.sqrt(up + down + 1 - (up - down) ** 2 / n)) / n;
  return { low: Math.max(-1, middle - half), high: Math.min(1, middle + half) };
}
