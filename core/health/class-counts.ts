/**
 * Rows by class, where classes are the numbers from 0: `tp[c]` rows of class c that were called c, `fp[c]` other rows that were,
 * `fn[c]` rows of class c that were not.
 */
export interface ClassCounts {
  readonly tp: Float64Array;
  readonly fp: Float64Array;
  readonly fn: Float64Array;
}

/** One class per row. `rows` picks some of them, and may name a row several times. */
export function countClasses(
  classes: number,
  truths: ArrayLike<number>,
  predictions: ArrayLike<number>,
  rows?: ArrayLike<number>,
): ClassCounts {
  const counts = noCounts(classes);
  const size = rows?.length ?? truths.length;
  for (let at = 0; at < size; at += 1) {
    const row = rows ? rows[at]! : at;
    const [truth, prediction] = [truths[row]!, predictions[row]!];
    if (truth === prediction) counts.tp[truth]! += 1;
    else {
      counts.fn[truth]! += 1;
      counts.fp[prediction]! += 1;
    }
  }
  return counts;
}

/** Any number of classes per row, none twice. */
export function countMembers(
  classes: number,
  truths: readonly (readonly number[])[],
  predictions: readonly (readonly number[])[],
): ClassCounts {
  const counts = noCounts(classes);
  for (const [row, given] of truths.entries()) {
    const [truth, prediction] = [new Set(given), new Set(predictions[row]!)];
    for (const label of truth) (prediction.has(label) ? counts.tp : counts.fn)[label]! += 1;
    for (const label of prediction) if (!truth.has(label)) counts.fp[label]! += 1;
  }
  return counts;
}

const noCounts = (classes: number): ClassCounts => ({
  tp: new Float64Array(classes),
  fp: new Float64Array(classes),
  fn: new Float64Array(classes),
});
