import { doubledRanks } from './wilcoxon.ts';

/**
 * Spearman's rank correlation, −1 to 1: the correlation of the ranks of both sides, where equal values share their mean rank. Null for fewer than
 * two rows, and where a side has one value alone. C. Spearman, American Journal of Psychology 15 (1904), 72–101.
 */
export function computeSpearman(left: readonly number[], right: readonly number[]): number | null {
  // The mean of twice the ranks is one more than their number, whatever the ties, so the sums are of whole numbers.
  const middle = left.length + 1;
  const [lefts, rights] = [left, right].map((side) => doubledRanks(side).map((rank) => rank - middle));
  let [both, ofLeft, ofRight] = [0, 0, 0];
  for (let row = 0; row < left.length; row += 1) {
    both += lefts![row]! * rights![row]!;
    ofLeft += lefts![row]! ** 2;
    ofRight += rights![row]! ** 2;
  }
  return ofLeft === 0 || ofRight === 0 ? null : both / Math.sqrt(ofLeft * ofRight);
}
