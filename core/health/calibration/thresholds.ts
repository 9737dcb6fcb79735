import { countTrue, type Outcomes, sortByScore } from './outcomes.ts';
import { countRowsNeeded, type Share, toShare } from './wilson.ts';

/** Rows that score at least `threshold` are called true. */
export interface Threshold {
  readonly threshold: number;
  /** Of the rows called true, those that are; null where none is called true. */
  readonly precision: Share | null;
  /** Of the true rows, those called so; null where there is none. */
  readonly recall: Share | null;
  /** Rows called true. */
  readonly called_true: number;
}

export interface ChosenThreshold extends Threshold {
  /** Further labels of rows called true, or of true rows, that bring the interval of what was wanted to ±0.05; 0 where it is there. */
  readonly labels_needed: number;
}

const MARGIN = 0.05;

/** At each distinct score, ascending. */
export function* listThresholds(outcomes: Outcomes): Generator<Threshold> {
  const { scores, truths } = sortByScore(outcomes);
  const positives = countTrue(outcomes);
  let hits = positives;
  for (const [row, score] of scores.entries()) {
    if (row === 0 || score !== scores[row - 1]) {
      const called_true = scores.length - row;
      yield { threshold: score, precision: toShare(hits, called_true), recall: toShare(hits, positives), called_true };
    }
    hits -= truths[row]!;
  }
}

/**
 * The threshold that keeps a precision of `wanted` with the most recall, or a recall of `wanted` with the most precision. Undefined
 * when there is none. Judged by the values; their intervals say how far these hold for other rows.
 */
export function chooseThreshold(outcomes: Outcomes, kept: 'precision' | 'recall', wanted: number): ChosenThreshold | undefined {
  const other = kept === 'precision' ? 'recall' : 'precision';
  let best: Threshold | undefined;
  for (const one of listThresholds(outcomes)) {
    const reached = one[kept];
    if (reached === null || reached.value < wanted) continue;
    if (!best || (one[other]?.value ?? 0) > (best[other]?.value ?? 0)) best = one;
  }
  if (!best) return undefined;
  const share = best[kept]!;
  return { ...best, labels_needed: Math.max(0, countRowsNeeded(share, MARGIN) - share.n) };
}
