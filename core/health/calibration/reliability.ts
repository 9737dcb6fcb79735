import type { Outcomes } from './outcomes.ts';
import { type Share, toShare } from './wilson.ts';

/** Rows whose scores lie in one part of 0 to 1. */
export interface ReliabilityBin {
  readonly low: number;
  readonly high: number;
  readonly mean_score: number;
  /** How often they were true. */
  readonly rate: Share;
}

/**
 * The reliability curve: rows in `bins` parts of equal width, empty ones left out. A score on the border of two parts belongs to the lower
 * one, 0 to the first. M. H. DeGroot, S. E. Fienberg, The Statistician 32 (1983), 12–22; as `calibration_curve` of scikit-learn.
 */
export function toReliabilityCurve({ scores, truths }: Outcomes, bins: number): ReliabilityBin[] {
  const [counts, hits, sums] = [new Uint32Array(bins), new Uint32Array(bins), new Float64Array(bins)];
  for (const [row, score] of scores.entries()) {
    const bin = findBin(score, bins);
    counts[bin]! += 1;
    hits[bin]! += truths[row]!;
    sums[bin]! += score;
  }
  return Array.from(counts, (n, bin) => ({
    low: bin / bins,
    high: (bin + 1) / bins,
    mean_score: sums[bin]! / n,
    rate: toShare(hits[bin]!, n)!,
  })).filter(({ rate }) => rate !== null);
}

/** Judged by the borders as they are written, bin / bins: the product of score and bins may be rounded past one. */
function findBin(score: number, bins: number): number {
  const near = Math.min(bins - 1, Math.max(0, Math.ceil(score * bins) - 1));
  if (near > 0 && score <= near / bins) return near - 1;
  return near < bins - 1 && score > (near + 1) / bins ? near + 1 : near;
}

/**
 * Expected calibration error: |rate − mean score| of each bin, weighted by its rows; and the largest of them.
 * M. P. Naeini et al., AAAI 2015; C. Guo et al., ICML 2017, (3) and (5).
 */
export function computeCalibrationError(curve: readonly ReliabilityBin[]): { readonly ece: number; readonly mce: number } {
  let [weighted, rows, most] = [0, 0, 0];
  for (const { mean_score, rate } of curve) {
    const gap = Math.abs(rate.value - mean_score);
    weighted += gap * rate.n;
    rows += rate.n;
    most = Math.max(most, gap);
  }
  return { ece: rows === 0 ? 0 : weighted / rows, mce: most };
}

/** The mean of (score − truth)². G. W. Brier, Monthly Weather Review 78 (1950), 1–3. There has to be a row. */
export function computeBrier({ scores, truths }: Outcomes): number {
  let sum = 0;
  for (const [row, score] of scores.entries()) sum += (score - truths[row]!) ** 2;
  return sum / scores.length;
}
