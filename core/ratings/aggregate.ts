import { MAX_STARS, type RatingType, type RatingValue } from './rating.ts';

/** Aggregate of several ratings of one kind, by the type of the kind. */
export type RatingAggregate = Readonly<Record<string, unknown>> & { readonly unrated_count: number };

/** `unrated_count` is how many of the things that were to be rated were not. */
export function computeAggregate(type: RatingType, values: readonly RatingValue[], unrated_count: number): RatingAggregate {
  switch (type) {
    case 'like_dislike': {
      const like_count = values.filter((value) => value === true).length;
      return { like_count, dislike_count: values.length - like_count, unrated_count };
    }
    case 'star':
      return { average: computeMean(values), counts: computeCounts(values, starNames), unrated_count };
    case 'score':
      return { average: computeMean(values), unrated_count };
    case 'tags':
      return { counts: computeCounts(values.flat(), []), unrated_count };
    case 'text':
      return { count: values.length, unrated_count };
  }
}

/**
 * Computes the ground truth of a dataset's row from ratings: the majority of likes (a tie gives none), the median of
 * numbers, the tags that more than half chose, the first text. Undefined when the ratings give no answer.
 */
export function computeTruth(type: RatingType, values: readonly RatingValue[]): string | undefined {
  if (values.length === 0) return undefined;
  switch (type) {
    case 'like_dislike': {
      const likes = values.filter((value) => value === true).length;
      return likes * 2 === values.length ? undefined : String(likes * 2 > values.length);
    }
    case 'star':
    case 'score':
      return String(computeMedian(values.filter((value) => typeof value === 'number')));
    case 'tags': {
      const counts = Object.entries(computeCounts(values.flat(), []));
      return JSON.stringify(counts.filter(([, count]) => count * 2 > values.length).map(([tag]) => tag));
    }
    case 'text':
      return String(values[0]);
  }
}

const starNames = Array.from({ length: MAX_STARS }, (_, at) => String(at + 1));

function computeCounts(values: readonly RatingValue[], names: readonly string[]): Record<string, number> {
  const counts = new Map(names.map((name) => [name, 0]));
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function computeMean(values: readonly RatingValue[]): number {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
}

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
