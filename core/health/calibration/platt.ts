import { applyPlatt, type PlattCurve } from '../../scorers/calibration/score-mapping.ts';
import { countTrue, type Outcomes } from './outcomes.ts';

const MAX_STEPS = 100;
const SMALLEST_STEP = 1e-10;
const RIDGE = 1e-12;
const TOLERANCE = 1e-9;

/**
 * Platt scaling: a logistic curve with the smoothed targets of J. Platt (Advances in Large Margin Classifiers, 1999), by Newton's
 * method with backtracking as in H.-T. Lin, C.-J. Lin, R. C. Weng, Machine Learning 68 (2007), 267–276, appendix. The same values as
 * `_SigmoidCalibration` of scikit-learn.
 */
export function fitPlatt(outcomes: Outcomes): PlattCurve {
  const { scores } = outcomes;
  const targets = toTargets(outcomes);
  const positives = countTrue(outcomes);
  let curve: PlattCurve = { slope: 0, offset: Math.log((scores.length - positives + 1) / (positives + 1)) };
  let loss = computeLoss(curve, scores, targets);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { slope, offset, gain } = newtonStep(curve, scores, targets);
    if (gain === undefined) break;
    let size = 1;
    let next = curve;
    let nextLoss = loss;
    for (; size >= SMALLEST_STEP; size /= 2) {
      next = { slope: curve.slope + size * slope, offset: curve.offset + size * offset };
      nextLoss = computeLoss(next, scores, targets);
      if (nextLoss < loss + 1e-4 * size * gain) break;
    }
    if (size < SMALLEST_STEP) break;
    [curve, loss] = [next, nextLoss];
  }
  return curve;
}

/** Of true rows (N₊ + 1) / (N₊ + 2), of the others 1 / (N₋ + 2). */
function toTargets(outcomes: Outcomes): Float64Array {
  const positives = countTrue(outcomes);
  const [high, low] = [(positives + 1) / (positives + 2), 1 / (outcomes.truths.length - positives + 2)];
  return Float64Array.from(outcomes.truths, (truth) => (truth === 1 ? high : low));
}

function computeLoss({ slope, offset }: PlattCurve, scores: Float64Array, targets: Float64Array): number {
  let loss = 0;
  for (const [row, score] of scores.entries()) {
    const power = slope * score + offset;
    const target = targets[row]!;
    loss += power >= 0 ? target * power + Math.log1p(Math.exp(-power)) : (target - 1) * power + Math.log1p(Math.exp(power));
  }
  return loss;
}

/** Where the loss falls, and how fast in that direction; undefined at its least. */
function newtonStep(curve: PlattCurve, scores: Float64Array, targets: Float64Array) {
  let [aa, bb, ab, a, b] = [RIDGE, RIDGE, 0, 0, 0];
  for (const [row, score] of scores.entries()) {
    const rate = applyPlatt(curve, score);
    const weight = rate * (1 - rate);
    aa += score * score * weight;
    bb += weight;
    ab += score * weight;
    const gap = targets[row]! - rate;
    a += score * gap;
    b += gap;
  }
  if (Math.abs(a) < TOLERANCE && Math.abs(b) < TOLERANCE) return { slope: 0, offset: 0, gain: undefined };
  const determinant = aa * bb - ab * ab;
  const slope = -(bb * a - ab * b) / determinant;
  const offset = -(aa * b - ab * a) / determinant;
  return { slope, offset, gain: a * slope + b * offset };
}
