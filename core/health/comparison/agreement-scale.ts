import { labelKey, type OutputType, type ReadValues } from '../../plugin-sdk/index.ts';

/** Output types that have a distance between a score and what is right. */
export type ComparableType = Exclude<OutputType, 'freeform'>;

/**
 * How far a score agrees with the ground truth of its row. `right`: 1 when both are the same, else 0. `label_f1`: F1 of the two sets of
 * labels, 1 when both are empty. `chunks_right`: the share of chunks on which both say the same. `absolute_error`: their distance.
 */
export type AgreementScale = 'right' | 'label_f1' | 'chunks_right' | 'absolute_error';

/** Scale of each type that tells more than right from wrong; `right` where there is no more to tell. */
export const GRADED_SCALE: Readonly<Record<ComparableType, AgreementScale>> = {
  boolean: 'right',
  categorical: 'right',
  multilabel: 'label_f1',
  boolean_multilabel: 'label_f1',
  retrieved_chunk_list_boolean: 'chunks_right',
  count: 'absolute_error',
  discrete: 'absolute_error',
  percentage: 'absolute_error',
};

export const isErrorScale = (scale: AgreementScale): boolean => scale === 'absolute_error';

type Value = ReadValues[ComparableType];

/** The same text for all values that are one and the same to the type. */
export function toComparableKey(value: Value): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'boolean')) return JSON.stringify(value);
  if (typeof value === 'object') return JSON.stringify([...toLabels(value)].sort());
  return typeof value === 'string' ? labelKey(value) : String(value);
}

export function measureAgreement(scale: AgreementScale, truth: Value, score: Value): number {
  switch (scale) {
    case 'right':
      return toComparableKey(truth) === toComparableKey(score) ? 1 : 0;
    case 'label_f1':
      return computeLabelF1(toLabels(truth), toLabels(score));
    case 'chunks_right':
      return computeShareRight(truth as readonly boolean[], score as readonly boolean[]);
    case 'absolute_error':
      return Math.abs((score as number) - (truth as number));
  }
}

/** Keys of the labels that hold. */
function toLabels(value: Value): Set<string> {
  const labels = Array.isArray(value)
    ? (value as readonly string[])
    : Object.entries(value as ReadValues['boolean_multilabel']).flatMap(([label, holds]) => (holds ? [label] : []));
  return new Set(labels.map(labelKey));
}

/** 2·|T ∩ S| / (|T| + |S|): L. R. Dice, Ecology 26 (1945), 297–302. */
function computeLabelF1(truth: ReadonlySet<string>, score: ReadonlySet<string>): number {
  const labels = truth.size + score.size;
  return labels === 0 ? 1 : (2 * truth.intersection(score).size) / labels;
}

function computeShareRight(truth: readonly boolean[], score: readonly boolean[]): number {
  return truth.length === 0 ? 1 : truth.filter((one, at) => one === score[at]).length / truth.length;
}
