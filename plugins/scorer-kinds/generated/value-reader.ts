import { labelKey, type OutputType, type ReadValues, readScoreValue, type ScoreValue } from '../../../core/plugin-sdk/index.ts';
import type { VerdictForm } from './verdict-form.ts';

type Judged = Exclude<OutputType, 'freeform'>;
/** Fits a value to its form, labels spelled as the form spells them; undefined for one that does not fit. */
type Fit<T extends Judged> = (value: ReadValues[T], form: VerdictForm, given: unknown) => ScoreValue | undefined;

const FITS: { readonly [T in Judged]: Fit<T> } = {
  boolean: (value) => value,
  categorical: (value, { labels }) => (labels ? spelled(labels, value) : isLabel(value) ? value : undefined),
  count: (value) => value,
  discrete: (value, { range: { min, max } }) => (Number.isInteger(value) && value >= min && value <= max ? value : undefined),
  percentage: (value) => value,
  multilabel: (value, { labels }) => (labels ? inOrder(labels, value) : value.every(isLabel) ? value : undefined),
  boolean_multilabel: (value, { labels }, given) => (labels ? allNamed(labels, value, Array.isArray(given)) : value),
  retrieved_chunk_list_boolean: (value, { chunks }) => (chunks === undefined || value.length === chunks ? value : undefined),
};

/** Where no labels are given, a label is at least short: a whole speech is none. */
const isLabel = (text: string): boolean => text.length <= 255;

/**
 * The value a judge gave, read as leniently as what people write by hand, and then checked against the whole form. Undefined
 * when it is no such value.
 */
export function readValue(form: VerdictForm, given: unknown): ScoreValue | undefined {
  const { output_type } = form;
  return output_type === 'freeform' ? readFreeform(given) : readJudged(output_type, form, given);
}

function readJudged<T extends Judged>(output_type: T, form: VerdictForm, given: unknown): ScoreValue | undefined {
  const read = readScoreValue(output_type, given, 'truth');
  const fitting: Fit<T> = FITS[output_type];
  return read.kind === 'value' ? fitting(read.value, form, given) : undefined;
}

const readFreeform = (given: unknown): string | undefined =>
  typeof given === 'string' && given.trim() !== '' ? given : undefined;

const spelled = (labels: readonly string[], given: string): string | undefined =>
  labels.find((label) => labelKey(label) === labelKey(given));

function inOrder(labels: readonly string[], given: readonly string[]): string[] | undefined {
  const known = given.map((label) => spelled(labels, label));
  return known.includes(undefined) ? undefined : labels.filter((label) => known.includes(label));
}

/** A list names those that hold; a map has to name all. */
function allNamed(
  labels: readonly string[],
  given: Readonly<Record<string, boolean>>,
  isList: boolean,
): Record<string, boolean> | undefined {
  const known = new Map(Object.entries(given).map(([label, holds]) => [spelled(labels, label), holds]));
  if (known.has(undefined) || (!isList && known.size < labels.length)) return undefined;
  return Object.fromEntries(labels.map((label) => [label, known.get(label) ?? false]));
}
