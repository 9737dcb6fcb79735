import type { CurvePoint } from '../../scorers/calibration/score-mapping.ts';
import { type Outcomes, sortByScore } from './outcomes.ts';

interface Block {
  readonly first: number;
  readonly last: number;
  readonly hits: number;
  readonly n: number;
}

/**
 * Isotonic regression of truths on scores by pooling adjacent violators, linear after sorting: the rising step curve with the least squared
 * error. Each step is told by its ends. M. Ayer et al., Ann. Math. Statist. 26 (1955), 641–647; B. Zadrozny, C. Elkan, KDD 2002.
 * The same values as `IsotonicRegression(out_of_bounds="clip")` of scikit-learn.
 */
export function fitIsotonic(outcomes: Outcomes): CurvePoint[] {
  const blocks: Block[] = [];
  for (const next of distinctScores(outcomes)) {
    let merged = next;
    for (let last = blocks.at(-1); last && last.hits * merged.n >= merged.hits * last.n; last = blocks.at(-1)) {
      blocks.pop();
      merged = { first: last.first, last: merged.last, hits: last.hits + merged.hits, n: last.n + merged.n };
    }
    blocks.push(merged);
  }
  return blocks.flatMap(({ first, last, hits, n }) => {
    const rate = hits / n;
    return first === last
      ? [{ score: first, rate }]
      : [
          { score: first, rate },
          { score: last, rate },
        ];
  });
}

/** Rows of equal score as one. */
function distinctScores(outcomes: Outcomes): Block[] {
  const { scores, truths } = sortByScore(outcomes);
  const found: Block[] = [];
  for (const [row, score] of scores.entries()) {
    const last = found.at(-1);
    const hits = truths[row]!;
    if (last?.first === score) found[found.length - 1] = { ...last, hits: last.hits + hits, n: last.n + 1 };
    else found.push({ first: score, last: score, hits, n: 1 });
  }
  return found;
}
