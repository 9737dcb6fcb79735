import type { OutputType, ReadValues } from '../plugin-sdk/index.ts';
import { measureChunkLists } from './chunk-lists.ts';
import { measureLabelSets } from './label-sets.ts';
import type { Measure } from './measure.ts';
import { measureCounts, measurePercentages, measureRatings } from './numbers.ts';
import { measureLabels } from './single-label.ts';

/** Ground truth of a row, with the scorer's value for it. */
export interface Pair<T extends OutputType = OutputType> {
  readonly truth: ReadValues[T];
  readonly score: ReadValues[T];
}

type Measured = Exclude<OutputType, 'freeform'>;

const MEASURES: { readonly [T in Measured]: (pairs: readonly Pair<T>[]) => Measure } = {
  boolean: (pairs) => measureLabels(...sides(pairs, String)),
  categorical: (pairs) => measureLabels(...sides(pairs, (label) => label)),
  multilabel: (pairs) => measureLabelSets(...sides(pairs, (labels) => labels)),
  boolean_multilabel: (pairs) => measureLabelSets(...sides(pairs, holding), pairs.flatMap(named)),
  retrieved_chunk_list_boolean: (pairs) => measureChunkLists(...sides(pairs, (chunks) => chunks)),
  percentage: (pairs) => measurePercentages(...sides(pairs, (share) => share)),
  count: (pairs) => measureCounts(...sides(pairs, (count) => count)),
  discrete: (pairs) => measureRatings(...sides(pairs, (rating) => rating)),
};

/** Formulas: the conventions are those of scikit-learn. There has to be a row. Undefined for texts without a form. */
export function measureRows<T extends OutputType>(output_type: T, pairs: readonly Pair<T>[]): Measure | undefined {
  if (output_type === 'freeform') return undefined;
  const measure = MEASURES[output_type as Measured] as (pairs: readonly Pair<T>[]) => Measure;
  return measure(pairs);
}

const sides = <V, R>(pairs: readonly { readonly truth: V; readonly score: V }[], read: (value: V) => R): [R[], R[]] => [
  pairs.map(({ truth }) => read(truth)),
  pairs.map(({ score }) => read(score)),
];

type Labelled = Readonly<Record<string, boolean>>;
const holding = (labels: Labelled): string[] => Object.keys(labels).filter((label) => labels[label]);
const named = ({ truth, score }: { readonly truth: Labelled; readonly score: Labelled }): string[] => [
  ...Object.keys(truth),
  ...Object.keys(score),
];
