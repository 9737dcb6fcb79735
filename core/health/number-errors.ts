/** The mean of (prediction − truth)². Null without rows. */
export const meanSquaredError = (truths: ArrayLike<number>, predictions: ArrayLike<number>): number | null =>
  computeMean(truths.length, (row) => (predictions[row]! - truths[row]!) ** 2);

/** The mean of |prediction − truth|. Null without rows. */
export const meanAbsoluteError = (truths: ArrayLike<number>, predictions: ArrayLike<number>): number | null =>
  computeMean(truths.length, (row) => Math.abs(predictions[row]! - truths[row]!));

export function rootMeanSquaredError(truths: ArrayLike<number>, predictions: ArrayLike<number>): number | null {
  const mse = meanSquaredError(truths, predictions);
  return mse === null ? null : Math.sqrt(mse);
}

/**
 * 1 − Σe² / Σ(t − t̄)². Null for fewer than two rows. Truths that are all equal: 1 when every prediction is right, else 0. That is
 * decided by comparing them, because their mean need not be equal to them in binary; and the mean is taken first, because the
 * formula of one pass loses all digits on large offsets.
 */
export function rSquared(truths: ArrayLike<number>, predictions: ArrayLike<number>): number | null {
  const rows = truths.length;
  if (rows < 2) return null;
  const mse = meanSquaredError(truths, predictions)!;
  if (every(rows, (row) => truths[row] === truths[0])) return mse === 0 ? 1 : 0;
  const mean = computeMean(rows, (row) => truths[row]!)!;
  const variance = computeMean(rows, (row) => (truths[row]! - mean) ** 2)!;
  return 1 - mse / variance;
}

export function computeMean(rows: number, value: (row: number) => number): number | null {
  let sum = 0;
  for (let row = 0; row < rows; row += 1) sum += value(row);
  return rows === 0 ? null : sum / rows;
}

function every(rows: number, holds: (row: number) => boolean): boolean {
  for (let row = 0; row < rows; row += 1) if (!holds(row)) return false;
  return true;
}
