import { compareText } from '../kernel/query/sort.ts';
import { cohenKappa, computeAccuracy } from './agreement.ts';
import { type ClassCounts, countClasses } from './class-counts.ts';
import { computeSupport, macroF1, macroF1OfSeen, microF1, pooledF1 } from './f1.ts';
import { LabelCodes } from './label-codes.ts';
import type { Baseline, Measure } from './measure.ts';
import { confusionTable, perClass } from './shown-classes.ts';

/** Macro-F1 of rows that have one class each. A class is shown as it is first written in the truths. */
export function measureLabels(truths: readonly string[], predictions: readonly string[]): Measure {
  const codes = new LabelCodes();
  const truth = Int32Array.from(truths, (label) => codes.getCode(label));
  const prediction = Int32Array.from(predictions, (label) => codes.getCode(label));
  const { labels } = codes;
  const counts = countClasses(labels.length, truth, prediction);
  return {
    value: macroF1(counts),
    secondary: {
      micro_f1: microF1(counts),
      accuracy: computeAccuracy(truth, prediction),
      cohen_kappa: cohenKappa(labels.length, truth, prediction),
      n: truths.length,
      ...perClass(counts, labels),
    },
    baseline: mostFrequent(counts, labels, truths.length),
    confusion_table: confusionTable(counts, labels, truth, prediction),
    over: (rows) => macroF1OfSeen(countClasses(labels.length, truth, prediction, rows)),
  };
}

/** Of all constants, the most frequent class has the best macro-F1. */
function mostFrequent(counts: ClassCounts, labels: readonly string[], rows: number): Baseline {
  const inTruths = [...labels.keys()].filter((code) => computeSupport(counts, code) > 0);
  const [best] = inTruths.sort(
    (a, b) => computeSupport(counts, b) - computeSupport(counts, a) || compareText(labels[a]!, labels[b]!),
  );
  const support = computeSupport(counts, best!);
  return { value: pooledF1(support, rows - support, 0) / inTruths.length, prediction: labels[best!]! };
}
