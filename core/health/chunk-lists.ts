import { computeAccuracy } from './agreement.ts';
import { countClasses } from './class-counts.ts';
import { computeF1, macroF1, pooledF1 } from './f1.ts';
import type { Measure } from './measure.ts';
import { confusionTable, perClass } from './shown-classes.ts';

/** `false` and `true` as classes. */
const LABELS = ['false', 'true'];

/** The F1 of `true` over the chunks of all rows. The two lists of a row have the same length. Null without chunks. */
export function measureChunkLists(
  truths: readonly (readonly boolean[])[],
  predictions: readonly (readonly boolean[])[],
): Measure {
  const truth = truths.flat().map(Number);
  const prediction = predictions.flat().map(Number);
  const counts = countClasses(LABELS.length, truth, prediction);
  const chunks = truth.length;
  const positives = truth.filter((one) => one === 1).length;
  const rows = truths.map((list, row) => tally(list, predictions[row]!));
  return {
    value: chunks === 0 ? null : computeF1(counts, 1),
    secondary: {
      macro_f1: chunks === 0 ? null : macroF1(counts),
      accuracy: computeAccuracy(truth, prediction),
      n: truths.length,
      ...perClass(counts, LABELS),
    },
    baseline: chunks === 0 ? null : { value: pooledF1(positives, chunks - positives, 0), prediction: true },
    confusion_table: confusionTable(counts, LABELS, truth, prediction),
    over: (drawn) => pooledOver(drawn, rows),
  };
}

interface Tally {
  readonly chunks: number;
  readonly hits: number;
  /** Chunks that are true, and chunks that were called so. */
  readonly trues: number;
}

const tally = (truth: readonly boolean[], prediction: readonly boolean[]): Tally => ({
  chunks: truth.length,
  hits: truth.filter((one, at) => one && prediction[at]).length,
  trues: truth.filter(Boolean).length + prediction.filter(Boolean).length,
});

function pooledOver(drawn: ArrayLike<number>, rows: readonly Tally[]): number | null {
  let [chunks, hits, trues] = [0, 0, 0];
  for (let at = 0; at < drawn.length; at += 1) {
    const row = rows[drawn[at]!]!;
    chunks += row.chunks;
    hits += row.hits;
    trues += row.trues;
  }
  return chunks === 0 ? null : pooledF1(hits, trues - 2 * hits, 0);
}
