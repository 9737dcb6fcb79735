/** The share of rows in which both sides say the same. Null without rows. */
export function computeAccuracy(truths: ArrayLike<number>, predictions: ArrayLike<number>): number | null {
  let same = 0;
  for (let row = 0; row < truths.length; row += 1) if (truths[row] === predictions[row]) same += 1;
  return truths.length === 0 ? null : same / truths.length;
}

/**
 * Cohen's kappa, (p_o − p_e) / (1 − p_e), of classes that are the numbers from 0. Null where it is undefined: both sides say
 * one and the same class everywhere, or there are no rows. Counted in whole numbers, so that 1 − p_e is not lost in rounding.
 */
export function cohenKappa(classes: number, truths: ArrayLike<number>, predictions: ArrayLike<number>): number | null {
  const rows = truths.length;
  const [left, right] = [frequencies(classes, truths), frequencies(classes, predictions)];
  let [same, byChance] = [0, 0];
  for (let row = 0; row < rows; row += 1) if (truths[row] === predictions[row]) same += 1;
  for (let label = 0; label < classes; label += 1) byChance += left[label]! * right[label]!;
  return byChance === rows * rows ? null : (rows * same - byChance) / (rows * rows - byChance);
}

/**
 * Cohen's kappa of classes in their order, 1 − Σ w·O / Σ w·E, where w is the distance of two classes or its square, O the
 * rows counted and E those expected by chance. Null where both sides say one and the same class everywhere.
 */
export function weightedKappa(
  weights: 'linear' | 'quadratic',
  classes: number,
  truths: ArrayLike<number>,
  predictions: ArrayLike<number>,
): number | null {
  let observed = 0;
  for (let row = 0; row < truths.length; row += 1) {
    const distance = Math.abs(truths[row]! - predictions[row]!);
    observed += weights === 'linear' ? distance : distance * distance;
  }
  const [left, right] = [frequencies(classes, truths), frequencies(classes, predictions)];
  const expected = (weights === 'linear' ? linearDistance : quadraticDistance)(left, right) * truths.length;
  return expected > 0 ? 1 - observed / expected : null;
}

/** The mean distance of a class drawn from the left and one from the right: what lies on either side of each step in between. */
function linearDistance(left: Float64Array, right: Float64Array): number {
  const [lefts, rights] = [total(left), total(right)];
  let [distance, leftBelow, rightBelow] = [0, 0, 0];
  for (let label = 0; label < left.length - 1; label += 1) {
    leftBelow += left[label]! / lefts;
    rightBelow += right[label]! / rights;
    distance += leftBelow * (1 - rightBelow) + rightBelow * (1 - leftBelow);
  }
  return distance;
}

/** The mean squared distance: both variances, and the square of what lies between the means. */
function quadraticDistance(left: Float64Array, right: Float64Array): number {
  const [a, b] = [toTimestamps(left), toTimestamps(right)];
  return a.variance + b.variance + (a.mean - b.mean) ** 2;
}

function toTimestamps(frequency: Float64Array): { mean: number; variance: number } {
  const rows = total(frequency);
  const mean = frequency.reduce((sum, count, label) => sum + count * label, 0) / rows;
  const variance = frequency.reduce((sum, count, label) => sum + count * (label - mean) ** 2, 0) / rows;
  return { mean, variance };
}

function frequencies(classes: number, values: ArrayLike<number>): Float64Array {
  const counts = new Float64Array(classes);
  for (let row = 0; row < values.length; row += 1) counts[values[row]!]! += 1;
  return counts;
}

const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);
