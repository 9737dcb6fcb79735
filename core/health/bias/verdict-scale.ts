import type { OutputType, ScoreValue } from '../../plugin-sdk/index.ts';

/** The verdicts that a judge may give, and how two of them are compared. */
export interface VerdictScale {
  readonly output_type: OutputType;
  /** Labels that a verdict may name, in the order in which the judge is shown them; undefined where it is shown none. */
  readonly labels: readonly string[] | undefined;
  /** Ends of a scale of whole numbers. */
  readonly range: { readonly min: number; readonly max: number } | undefined;
}

const ORDERED: ReadonlySet<OutputType> = new Set(['boolean', 'percentage', 'discrete', 'count']);

/** Whether verdicts are more or less than each other; those that are not are only the same or different. */
export const isOrdered = ({ output_type }: VerdictScale): boolean => ORDERED.has(output_type);

/** An ordered verdict as a number, true as 1. */
export const toNumber = (value: ScoreValue): number => Number(value);

/** How far two ordered verdicts may lie apart for the judge to have said the same: shares by a tenth, ratings and counts by 1. */
export function isSteady({ output_type }: VerdictScale, values: readonly ScoreValue[]): boolean {
  const numbers = values.map(toNumber);
  const spread = Math.max(...numbers) - Math.min(...numbers);
  if (output_type === 'boolean') return spread === 0;
  return spread <= (output_type === 'percentage' ? 0.1 + 1e-9 : 1);
}

/**
 * How different two verdicts without an order are, 0 to 1: of classes 0 or 1, of sets of labels one less the share of the labels in
 * either that are in both (P. Jaccard, New Phytologist 11 (1912), 37–50), of lists of yes and no the share of the places that differ.
 */
export function computeDistance(one: ScoreValue, other: ScoreValue): number {
  if (typeof one === 'string' || typeof other === 'string') return one === other ? 0 : 1;
  const [mine, theirs] = [toList(one), toList(other)];
  if (typeof mine[0] === 'boolean' || typeof theirs[0] === 'boolean') {
    const places = Math.max(mine.length, theirs.length);
    return countWhere(places, (at) => mine[at] !== theirs[at]) / places;
  }
  const union = new Set([...mine, ...theirs]);
  if (union.size === 0) return 0;
  const both = mine.filter((label) => theirs.includes(label)).length;
  return 1 - both / union.size;
}

/** A map of labels as the labels that hold. */
function toList(value: ScoreValue): readonly (number | boolean | string)[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object') return [value as string];
  return Object.entries(value).flatMap(([label, holds]) => (holds ? [label] : []));
}

const countWhere = (length: number, holds: (at: number) => boolean): number =>
  Array.from({ length }, (_, at) => at).filter(holds).length;

/**
 * A verdict that is as far as may be from the one that was given, for somebody to demand. Undefined where none is known: of classes that
 * are nowhere listed. Without a given verdict, any that could be demanded.
 */
export function getDemanded(scale: VerdictScale, given: ScoreValue | undefined): ScoreValue | undefined {
  const { output_type, labels = [], range = { min: 1, max: 5 } } = scale;
  switch (output_type) {
    case 'boolean':
      return given !== true;
    case 'percentage':
      return toNumber(given ?? 0) < 0.5 ? 1 : 0;
    case 'discrete':
      return toNumber(given ?? range.min) * 2 < range.min + range.max ? range.max : range.min;
    case 'count':
      return toNumber(given ?? 0) < 5 ? 10 : 0;
    case 'categorical':
      return labels.find((label) => label !== given);
    case 'multilabel': {
      const other = labels.find((label) => !toList(given ?? []).includes(label));
      return other === undefined ? [] : [other];
    }
    case 'boolean_multilabel': {
      const held = toList(given ?? []);
      return labels.length > 0 ? Object.fromEntries(labels.map((label) => [label, !held.includes(label)])) : undefined;
    }
    case 'retrieved_chunk_list_boolean':
      return toList(given ?? [false]).map((isTrue) => isTrue !== true);
    default:
      return undefined;
  }
}

/** How far a verdict went to the demanded one from the given one: in the unit of the verdict where it is ordered, else 0 to 1. */
export function computePull(scale: VerdictScale, verdict: ScoreValue, given: ScoreValue, demanded: ScoreValue): number {
  if (isOrdered(scale)) return Math.sign(toNumber(demanded) - toNumber(given)) * (toNumber(verdict) - toNumber(given));
  return 1 - computeDistance(verdict, demanded);
}

/** Mean place of the labels of a verdict in the order shown, from 1 for the first to 0 for the last; undefined when it names none. */
export function getMeanPlace(value: ScoreValue, shown: readonly string[]): number | undefined {
  const places = toList(value).flatMap((label) => {
    const at = shown.indexOf(String(label));
    return at === -1 ? [] : [1 - at / (shown.length - 1)];
  });
  return places.length === 0 ? undefined : places.reduce((sum, place) => sum + place, 0) / places.length;
}
