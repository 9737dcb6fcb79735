import { computeSpearman } from '../kernel/statistics/spearman.ts';
import { computeAccuracy, weightedKappa } from './agreement.ts';
import { countClasses } from './class-counts.ts';
import { LabelCodes } from './label-codes.ts';
import { type ConfusionTable, finiteOrNull, type Measure, type Secondary } from './measure.ts';
import { computeMean, meanAbsoluteError, meanSquaredError, rootMeanSquaredError, rSquared } from './number-errors.ts';
import { confusionTable } from './shown-classes.ts';

type Numbers = readonly number[];

/** Mean squared error. */
export function measurePercentages(truths: Numbers, predictions: Numbers): Measure {
  const mean = computeMean(truths.length, (row) => truths[row]!)!;
  return {
    ...noClasses,
    value: finiteOrNull(meanSquaredError(truths, predictions)),
    secondary: finite({
      mae: meanAbsoluteError(truths, predictions),
      rmse: rootMeanSquaredError(truths, predictions),
      r2: rSquared(truths, predictions),
      spearman: computeSpearman(truths, predictions),
      n: truths.length,
    }),
    baseline: constant(
      mean,
      meanSquaredError(
        truths,
        truths.map(() => mean),
      ),
    ),
    over: (rows) => computeMean(rows.length, (at) => (predictions[rows[at]!]! - truths[rows[at]!]!) ** 2),
  };
}

/** Mean absolute error. */
export function measureCounts(truths: Numbers, predictions: Numbers): Measure {
  const middle = computeMedian(truths);
  return {
    ...noClasses,
    value: finiteOrNull(meanAbsoluteError(truths, predictions)),
    secondary: finite({
      mse: meanSquaredError(truths, predictions),
      rmse: rootMeanSquaredError(truths, predictions),
      r2: rSquared(truths, predictions),
      accuracy: computeAccuracy(truths, predictions),
      spearman: computeSpearman(truths, predictions),
      n: truths.length,
    }),
    baseline: constant(
      middle,
      meanAbsoluteError(
        truths,
        truths.map(() => middle),
      ),
    ),
    over: (rows) => computeMean(rows.length, (at) => Math.abs(predictions[rows[at]!]! - truths[rows[at]!]!)),
  };
}

/** Mean absolute error of ratings: numbers that are classes in an order, too. */
export function measureRatings(truths: Numbers, predictions: Numbers): Measure {
  const measure = measureCounts(truths, predictions);
  const ranks = computeRanks([...truths, ...predictions]);
  const [truth, prediction] = [truths, predictions].map((side) => side.map((value) => ranks.get(value)!));
  const { n, ...others } = measure.secondary;
  return {
    ...measure,
    secondary: { ...others, cohen_kappa: finiteOrNull(weightedKappa('quadratic', ranks.size, truth!, prediction!)), n: n! },
    confusion_table: toTable(truths, predictions),
  };
}

const noClasses = { confusion_table: null } as const;

const constant = (prediction: number, value: number | null): Measure['baseline'] =>
  value !== null && Number.isFinite(value) && Number.isFinite(prediction) ? { value, prediction } : null;

const finite = (secondary: Secondary): Secondary =>
  Object.fromEntries(Object.entries(secondary).map(([name, value]) => [name, finiteOrNull(value)]));

function computeMedian(values: Numbers): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1]!, sorted[Math.floor(sorted.length / 2)]!];
  return low + (high - low) / 2;
}

/** Places of values in their order, from 0; equal values share one. */
const computeRanks = (values: Numbers): Map<number, number> =>
  new Map([...new Set(values)].sort((a, b) => a - b).map((value, rank) => [value, rank]));

function toTable(truths: Numbers, predictions: Numbers): ConfusionTable {
  const codes = new LabelCodes((label) => label);
  const [truth, prediction] = [truths, predictions].map((side) => side.map((value) => codes.getCode(String(value))));
  const counts = countClasses(codes.labels.length, truth!, prediction!);
  return confusionTable(counts, codes.labels, truth!, prediction!, (left, right) => Number(left) - Number(right));
}
