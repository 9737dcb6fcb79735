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
