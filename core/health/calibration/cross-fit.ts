import { type Outcomes, takeRows } from './outcomes.ts';

const FOLDS = 5;

/**
 * Maps rows by curves that were not fitted on them: rows are dealt into five folds, positive and other rows in turn, and each fold is mapped
 * by a fit on the other four, with a pause after each. A fit that is judged by its own rows looks better than it is, isotonic regression most of all.
 */
export async function mapUnseen(
  outcomes: Outcomes,
  train: (seen: Outcomes) => (score: number) => number,
  pause: () => Promise<void>,
): Promise<Outcomes> {
  const folds = dealFolds(outcomes);
  const mapped = new Float64Array(outcomes.scores.length);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const seen = Uint32Array.from(folds.keys()).filter((row) => folds[row] !== fold);
    const map = train(takeRows(outcomes, seen));
    for (const [row, own] of folds.entries()) if (own === fold) mapped[row] = map(outcomes.scores[row]!);
    await pause();
  }
  return { scores: mapped, truths: outcomes.truths };
}

function dealFolds({ truths }: Outcomes): Uint8Array {
  const dealt = [0, 0];
  return Uint8Array.from(truths, (truth) => {
    const next = dealt[truth]!;
    dealt[truth] = next + 1;
    return next % FOLDS;
  });
}
