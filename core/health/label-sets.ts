import { compareText } from '../kernel/query/sort.ts';
import { countMembers } from './class-counts.ts';
import { macroF1, microF1, pooledF1 } from './f1.ts';
import { LabelCodes } from './label-codes.ts';
import type { Baseline, Measure } from './measure.ts';
import { computeMean } from './number-errors.ts';
import { perClass } from './shown-classes.ts';

/** Micro-F1 of rows that have a set of labels each. `listed` are labels that count although they may be in no set. */
export function measureLabelSets(
  truths: readonly (readonly string[])[],
  predictions: readonly (readonly string[])[],
  listed: readonly string[] = [],
): Measure {
  const codes = new LabelCodes();
  const encode = (set: readonly string[]): number[] => [...new Set(set.map((label) => codes.getCode(label)))];
  const truth = truths.map(encode);
  const prediction = predictions.map(encode);
  encode(listed);
  const { labels } = codes;
  const counts = countMembers(labels.length, truth, prediction);
  const hits = truth.map((set, row) => {
    const predicted = new Set(prediction[row]);
    return set.filter((code) => predicted.has(code)).length;
  });
  const sizes = truth.map((set, row) => set.length + prediction[row]!.length);
  return {
    value: microF1(counts),
    secondary: {
      macro_f1: macroF1(counts),
      subset_accuracy: computeMean(truth.length, (row) => (sizes[row] === 2 * hits[row]! ? 1 : 0)),
      n: truths.length,
      ...perClass(counts, labels),
    },
    baseline: labels.length === 0 ? null : bestConstantSet(truth, labels),
    confusion_table: null,
    over: (rows) => pooledOver(rows, hits, sizes),
  };
}

/** Null when no row drawn has a label. */
function pooledOver(rows: ArrayLike<number>, hits: readonly number[], sizes: readonly number[]): number | null {
  let [hit, size] = [0, 0];
  for (let at = 0; at < rows.length; at += 1) {
    hit += hits[rows[at]!]!;
    size += sizes[rows[at]!]!;
  }
  return size === 0 ? null : pooledF1(hit, size - 2 * hit, 0);
}

/** The best constant set for micro-F1 holds the most frequent labels; how many of them, is tried out. */
function bestConstantSet(truth: readonly (readonly number[])[], labels: readonly string[]): Baseline {
  const frequency = labels.map(() => 0);
  for (const set of truth) for (const code of set) frequency[code]! += 1;
  const order = [...labels.keys()].sort((a, b) => frequency[b]! - frequency[a]! || compareText(labels[a]!, labels[b]!));
  const total = frequency.reduce((sum, count) => sum + count, 0);
  let best = { value: 0, size: 0 };
  let hits = 0;
  for (const [at, code] of order.entries()) {
    hits += frequency[code]!;
    const value = pooledF1(hits, (at + 1) * truth.length - hits, total - hits);
    if (value > best.value) best = { value, size: at + 1 };
  }
  return { value: best.value, prediction: order.slice(0, best.size).map((code) => labels[code]!) };
}
