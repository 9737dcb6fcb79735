import type { ScoreValue, Vote } from '../../../core/plugin-sdk/index.ts';
import { AGGREGATIONS_OF, type Aggregation } from './aggregation.ts';
import type { Definition } from './definition.ts';
import { distance, holding, isList, isMap, type List } from './distance.ts';
import type { VerdictForm } from './verdict-form.ts';

export interface Verdict {
  readonly value: ScoreValue;
  /** Of the first judge who voted for the value, else of the one who came nearest. */
  readonly explanation?: string;
  /** Share of the votes that equal the value; of numbers and shares, of the largest group of equal votes. */
  readonly agreement: number;
}

/** One verdict of the votes of several judges, at least one, in the judges' order. */
export function aggregate(votes: readonly Vote[], { aggregation }: Pick<Definition, 'aggregation'>, form: VerdictForm): Verdict {
  const values = votes.map(({ value }) => value);
  const how = aggregation ?? AGGREGATIONS_OF[form.output_type][0]!;
  const value = combine(values, how, form.labels);
  const target = how === 'share' ? (value as number) > 0.5 : value;
  const distances = values.map((one) => distance(one, target));
  const nearest = distances.indexOf(Math.min(...distances));
  const { explanation } = votes[nearest]!;
  const equal = typeof value === 'number' ? largestGroup(values) : distances.filter((one) => one === 0).length;
  return { value, ...(explanation !== undefined && { explanation }), agreement: equal / values.length };
}

function combine(values: readonly ScoreValue[], how: Aggregation, labels: readonly string[] | undefined): ScoreValue {
  const [first] = values as [ScoreValue];
  if (how === 'share') return values.filter((value) => value === true).length / values.length;
  if (typeof first === 'number') return NUMBERS[how]!(values as number[]);
  if (how === 'first') return first;
  const isIn = (count: number): boolean =>
    how === 'union' ? count > 0 : how === 'intersection' ? count === values.length : count * 2 > values.length;
  if (typeof first === 'boolean') return isIn(values.filter((value) => value === true).length);
  if (typeof first === 'string') return mostVoted(values as string[], labels);
  return isMap(first)
    ? combinedMap(values as Record<string, boolean>[], isIn)
    : combinedList(values.filter(isList), labels, isIn);
}

type IsIn = (count: number) => boolean;

const NUMBERS: Partial<Record<Aggregation, (values: readonly number[]) => number>> = {
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  median: (values) => {
    const ascending = values.toSorted((a, b) => a - b);
    const [low, high] = [ascending[(values.length - 1) >> 1]!, ascending[values.length >> 1]!];
    return (low + high) / 2;
  },
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

/** Chunks by their place, labels by their name. */
function combinedList(lists: readonly List[], labels: readonly string[] | undefined, isIn: IsIn): ScoreValue {
  const chunks = lists.find((list) => typeof list[0] === 'boolean');
  if (chunks) return chunks.map((_, place) => isIn(lists.filter((list) => list[place] === true).length));
  const known = labels ?? ([...new Set(lists.flat())] as string[]);
  return known.filter((label) => isIn(lists.filter((list) => list.includes(label)).length));
}

function combinedMap(maps: readonly Readonly<Record<string, boolean>>[], isIn: IsIn): Record<string, boolean> {
  const labels = [...new Set(maps.flatMap((map) => Object.keys(map)))];
  const sets = maps.map((map) => new Set(holding(map)));
  return Object.fromEntries(labels.map((label) => [label, isIn(sets.filter((set) => set.has(label)).length)]));
}

/** A tie goes to the first of the labels, without labels to the smallest by code point. */
function mostVoted(values: readonly string[], labels: readonly string[] | undefined): string {
  const counts = Map.groupBy(values, (value) => value);
  const most = Math.max(...[...counts.values()].map(({ length }) => length));
  const tied = [...counts].filter(([, { length }]) => length === most).map(([value]) => value);
  return labels?.find((label) => tied.includes(label)) ?? tied.toSorted(byCodePoint)[0]!;
}

const byCodePoint = (a: string, b: string): number => {
  const [left, right] = [[...a], [...b]];
  const place = left.findIndex((character, index) => character !== right[index]);
  return place === -1 ? left.length - right.length : left[place]!.codePointAt(0)! - (right[place]?.codePointAt(0) ?? -1);
};

const largestGroup = (values: readonly ScoreValue[]): number =>
  Math.max(...[...Map.groupBy(values, (value) => value).values()].map(({ length }) => length));
