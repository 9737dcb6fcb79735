import type { ClassCounts } from './class-counts.ts';

/** 0 where nothing is there to divide by, as scikit-learn has it with `zero_division` 0. */
const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

export const computePrecision = ({ tp, fp }: ClassCounts, label: number): number => ratio(tp[label]!, tp[label]! + fp[label]!);
export const computeRecall = ({ tp, fn }: ClassCounts, label: number): number => ratio(tp[label]!, tp[label]! + fn[label]!);
export const computeSupport = ({ tp, fn }: ClassCounts, label: number): number => tp[label]! + fn[label]!;

/** 2·TP / (2·TP + FP + FN). */
export const computeF1 = ({ tp, fp, fn }: ClassCounts, label: number): number => pooledF1(tp[label]!, fp[label]!, fn[label]!);
export const pooledF1 = (tp: number, fp: number, fn: number): number => ratio(2 * tp, 2 * tp + fp + fn);

/** The mean of the F1 of all classes, of those without any row too. Null without classes. */
export function macroF1(counts: ClassCounts): number | null {
  const classes = counts.tp.length;
  let sum = 0;
  for (let label = 0; label < classes; label += 1) sum += computeF1(counts, label);
  return classes === 0 ? null : sum / classes;
}

/** As `macroF1`, over the classes that are there at all. */
export function macroF1OfSeen(counts: ClassCounts): number | null {
  const { tp, fp, fn } = counts;
  let [sum, seen] = [0, 0];
  for (let label = 0; label < tp.length; label += 1) {
    if (tp[label]! + fp[label]! + fn[label]! === 0) continue;
    sum += computeF1(counts, label);
    seen += 1;
  }
  return seen === 0 ? null : sum / seen;
}

/** The F1 of the counts of all classes put together. Null without classes. */
export const microF1 = ({ tp, fp, fn }: ClassCounts): number | null =>
  tp.length === 0 ? null : pooledF1(total(tp), total(fp), total(fn));

const total = (counts: Float64Array): number => counts.reduce((sum, count) => sum + count, 0);
