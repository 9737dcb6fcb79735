import { compareText } from '../kernel/query/sort.ts';
import type { ClassCounts } from './class-counts.ts';
import { computeF1, computePrecision, computeRecall, computeSupport } from './f1.ts';
import type { ConfusionTable, Secondary } from './measure.ts';

const MAX_CLASSES = 100;
/** Longest label that is shown. A longer one is a text that somebody took for a class; it counts, and is not repeated in every reply. */
const MAX_LABEL_LENGTH = 500;

/** The classes to show, those with the most rows first. */
export function shownClasses(counts: ClassCounts, labels: readonly string[]): number[] {
  return [...labels.keys()]
    .filter((code) => labels[code]!.length <= MAX_LABEL_LENGTH)
    .sort((a, b) => computeSupport(counts, b) - computeSupport(counts, a) || compareText(labels[a]!, labels[b]!))
    .slice(0, MAX_CLASSES);
}

/** `f1:<label>` and the like. Entries are defined, not assigned: a label is only a name. */
export const perClass = (counts: ClassCounts, labels: readonly string[]): Secondary =>
  Object.fromEntries(
    shownClasses(counts, labels).flatMap((code) => [
      [`f1:${labels[code]}`, computeF1(counts, code)],
      [`precision:${labels[code]}`, computePrecision(counts, code)],
      [`recall:${labels[code]}`, computeRecall(counts, code)],
      [`support:${labels[code]}`, computeSupport(counts, code)],
    ]),
  );

export function confusionTable(
  counts: ClassCounts,
  labels: readonly string[],
  truths: ArrayLike<number>,
  predictions: ArrayLike<number>,
  compare: (left: string, right: string) => number = compareText,
): ConfusionTable {
  const codes = shownClasses(counts, labels).sort((a, b) => compare(labels[a]!, labels[b]!));
  const places = new Map(codes.map((code, place) => [code, place]));
  const table = codes.map(() => codes.map(() => 0));
  let other_rows = 0;
  for (let row = 0; row < truths.length; row += 1) {
    const [truth, prediction] = [places.get(truths[row]!), places.get(predictions[row]!)];
    if (truth === undefined || prediction === undefined) other_rows += 1;
    else table[truth]![prediction]! += 1;
  }
  return { labels: codes.map((code) => labels[code]!), counts: table, other_rows };
}
