import { compareText } from '../kernel/query/sort.ts';
import { labelKey, type OutputType, type ReadValues } from '../plugin-sdk/index.ts';
import { LabelCodes } from './label-codes.ts';

type Aggregates = { readonly [T in OutputType]: (values: readonly ReadValues[T][]) => ReadValues[T] | undefined };

/** As several judges of one record make one verdict: a row may have produced several records of the scored type. */
const AGGREGATES: Aggregates = {
  boolean: (votes) => isMajority(votes.filter(Boolean).length, votes.length),
  categorical: mostVotes,
  count: mean,
  discrete: mean,
  percentage: mean,
  multilabel: (sets) => agreedLabels(sets),
  boolean_multilabel: (maps) => {
    const agreed = new Set(agreedLabels(maps.map((map) => Object.keys(map).filter((label) => map[label]))).map(labelKey));
    const named = new LabelCodes();
    for (const map of maps) for (const label of Object.keys(map)) named.getCode(label);
    return Object.fromEntries(named.labels.map((label) => [label, agreed.has(labelKey(label))]));
  },
  retrieved_chunk_list_boolean: (lists) => {
    const [first, ...others] = lists;
    if (!first || others.some(({ length }) => length !== first.length)) return undefined;
    return first.map((_chunk, at) => isMajority(lists.filter((list) => list[at]).length, lists.length));
  },
  freeform: ([first]) => first,
};

/** One value of several; there is at least one. Undefined when they do not fit together: lists of different lengths. */
export const aggregateScores = <T extends OutputType>(
  output_type: T,
  values: readonly ReadValues[T][],
): ReadValues[T] | undefined => (values.length === 1 ? values[0] : AGGREGATES[output_type](values));

const isMajority = (votes: number, of: number): boolean => votes * 2 > of;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The first by code point where several have the most. */
function mostVotes(labels: readonly string[]): string {
  const votes = [...Map.groupBy(labels, labelKey).values()];
  const most = Math.max(...votes.map(({ length }) => length));
  return votes
    .filter(({ length }) => length === most)
    .map(([label]) => label!)
    .sort(compareText)[0]!;
}

/** Labels that more than half of the sets have. */
function agreedLabels(sets: readonly (readonly string[])[]): string[] {
  const votes = Map.groupBy(sets.flat(), labelKey);
  return [...votes.values()].filter(({ length }) => isMajority(length, sets.length)).map(([label]) => label!);
}
