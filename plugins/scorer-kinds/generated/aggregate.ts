import type { ScoreValue, Vote } from '../../../core/plugin-sdk/index.ts';
import { AGGREGATIONS_OF, type Aggregation } from './aggregation.ts';
import type { Definition } from './definition.ts';
import { distance, holding, isList, isMap, type List } from './distance.ts';
import type { VerdictForm } from './verdict-form.ts';
import { isMore, isSame, weightedMean, weightedMedian, weightOf, weightOfAll } from './weighted.ts';

export interface Verdict {
  readonly value: ScoreValue;
  /** Of the first judge who voted for the value, else of the one who came nearest. */
  readonly explanation?: string;
  /**
   * Share of the votes, by weight, that equal the value; of numbers and shares, of the largest group of equal votes. Of numbers of a
   * jury on a scale with two ends: 1 when all say the same, 0 when half of the weight is at each end.
   */
  readonly agreement: number;
}

type Rules = Pick<Definition, 'aggregation' | 'jurors'>;

/** One verdict of the votes of several judges, at least one, in the judges' order. */
export function aggregate(votes: readonly Vote[], { aggregation, jurors }: Rules, form: VerdictForm): Verdict {
  const how = aggregation ?? AGGREGATIONS_OF[form.output_type][0]!;
  const value = combine(votes, how, form.labels);
  const target = how === 'share' ? (value as number) > 0.5 : value;
  const distances = votes.map((vote) => distance(vote.value, target));
  const nearest = distances.indexOf(Math.min(...distances));
  const { explanation } = votes[nearest]!;
  const width = jurors ? getWidth(form) : undefined;
  const agreement =
    width !== undefined ? nearness(votes, value as number, width) : largestShare(votes, typeof value === 'number', target);
  return { value, ...(explanation !== undefined && { explanation }), agreement };
}

function combine(votes: readonly Vote[], how: Aggregation, labels: readonly string[] | undefined): ScoreValue {
  const values = votes.map(({ value }) => value);
  const [first] = values as [ScoreValue];
  if (how === 'share') return weightedMean(votes, (value) => Number(value));
  if (typeof first === 'number') return NUMBERS[how]!(votes);
  if (how === 'first') return first;
  const all = weightOfAll(votes);
  const isIn: IsIn = (holds) => {
    const weight = weightOf(votes, holds);
    if (how === 'union') return weight > 0;
    return how === 'intersection' ? values.every(holds) : isMore(weight * 2, all);
  };
  if (typeof first === 'boolean') return isIn((value) => value === true);
  if (typeof first === 'string') return mostVoted(votes, labels);
  return isMap(first)
    ? combinedMap(values as Record<string, boolean>[], isIn)
    : combinedList(values.filter(isList), labels, isIn);
}

/** Whether what some of the votes hold is part of the result. */
type IsIn = (holds: (value: ScoreValue) => boolean) => boolean;

const NUMBERS: Partial<Record<Aggregation, (votes: readonly Vote[]) => number>> = {
  mean: (votes) => weightedMean(votes, (value) => value as number),
  median: weightedMedian,
  min: (votes) => Math.min(...votes.map(({ value }) => value as number)),
  max: (votes) => Math.max(...votes.map(({ value }) => value as number)),
};

/** Chunks by their place, labels by their name. */
function combinedList(lists: readonly List[], labels: readonly string[] | undefined, isIn: IsIn): ScoreValue {
  const chunks = lists.find((list) => typeof list[0] === 'boolean');
  if (chunks) return chunks.map((_, place) => isIn((list) => (list as List)[place] === true));
  const known = labels ?? ([...new Set(lists.flat())] as string[]);
  return known.filter((label) => isIn((list) => (list as List).includes(label)));
}

function combinedMap(maps: readonly Readonly<Record<string, boolean>>[], isIn: IsIn): Record<string, boolean> {
  const labels = [...new Set(maps.flatMap((map) => Object.keys(map)))];
  return Object.fromEntries(
    labels.map((label) => [label, isIn((map) => holding(map as Record<string, boolean>).includes(label))]),
  );
}

/** A tie goes to the first of the labels, without labels to the smallest by code point. */
function mostVoted(votes: readonly Vote[], labels: readonly string[] | undefined): string {
  const weights = [...Map.groupBy(votes, ({ value }) => value as string)].map(
    ([value, own]) => [value, weightOfAll(own)] as const,
  );
  const most = Math.max(...weights.map(([, weight]) => weight));
  const tied = weights.filter(([, weight]) => isSame(weight, most)).map(([value]) => value);
  return labels?.find((label) => tied.includes(label)) ?? tied.toSorted(byCodePoint)[0]!;
}

const byCodePoint = (a: string, b: string): number => {
  const [left, right] = [[...a], [...b]];
  const place = left.findIndex((character, index) => character !== right[index]);
  return place === -1 ? left.length - right.length : left[place]!.codePointAt(0)! - (right[place]?.codePointAt(0) ?? -1);
};

/** How long the scale of the verdicts is; undefined where it has no ends. */
function getWidth({ output_type, range }: VerdictForm): number | undefined {
  if (output_type === 'percentage') return 1;
  return output_type === 'discrete' ? range.max - range.min : undefined;
}

/** Votes that are a little apart agree mostly: which of them are equal would say nothing about numbers on a scale. */
const nearness = (votes: readonly Vote[], value: number, width: number): number =>
  Math.max(0, 1 - (2 * weightedMean(votes, (vote) => Math.abs((vote as number) - value))) / width);

function largestShare(votes: readonly Vote[], isNumber: boolean, target: ScoreValue): number {
  const groups = [...Map.groupBy(votes, ({ value }) => value).values()];
  const largest = isNumber ? Math.max(...groups.map(weightOfAll)) : weightOf(votes, (value) => distance(value, target) === 0);
  return Math.min(1, largest / weightOfAll(votes));
}
