import { z } from 'zod';
import { compareText } from '../kernel/query/sort.ts';
import type { RatingType, RatingValue } from './rating.ts';

/**
 * How several answers about one record make one value.
 * - `majority`: the value that was given most often; a tie gives none. Of tags each tag that more than half of the raters chose,
 *   so that a tag of exactly half of them is left out.
 * - `mean`, `median`: of numbers; the median of an even number of answers is the mean of the two in the middle.
 * - `first`: the oldest answer.
 */
export const TruthRule = z.enum(['majority', 'mean', 'median', 'first']).meta({ id: 'TruthRule' });
export type TruthRule = z.output<typeof TruthRule>;

/** The rules that fit each type of answers; the first one holds where nobody chose another. */
export const TRUTH_RULES: Readonly<Record<RatingType, readonly [TruthRule, ...TruthRule[]]>> = {
  like_dislike: ['majority', 'first'],
  star: ['median', 'mean', 'majority', 'first'],
  score: ['median', 'mean', 'majority', 'first'],
  tags: ['majority', 'first'],
  text: ['first', 'majority'],
};

/** The answers, in the order of their time, that a truth is made of: the last decision of a reviewer, or all of them without one. */
export function getDecisive<T extends { readonly is_decision?: true }>(answers: readonly T[]): readonly T[] {
  const decision = answers.findLast(({ is_decision }) => is_decision);
  return decision ? [decision] : answers;
}

/** The value that answers come to, given in the order of their time. Undefined when they give none. */
export function computeTruth(type: RatingType, rule: TruthRule, values: readonly RatingValue[]): RatingValue | undefined {
  if (values.length === 0) return undefined;
  const numbers = values.filter((value) => typeof value === 'number');
  switch (rule) {
    case 'first':
      return values[0];
    case 'mean':
      return numbers.length === 0 ? undefined : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    case 'median':
      return computeMedian(numbers);
    case 'majority':
      return type === 'tags' ? computeCommonTags(values) : computeMode(values);
  }
}

function computeMedian(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return undefined;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function computeMode(values: readonly RatingValue[]): RatingValue | undefined {
  const groups = [...Map.groupBy(values, (value) => value).values()];
  const most = Math.max(...groups.map(({ length }) => length));
  const winners = groups.filter(({ length }) => length === most);
  return winners.length === 1 ? winners[0]![0] : undefined;
}

function computeCommonTags(values: readonly RatingValue[]): string[] {
  const raters = new Map<string, number>();
  for (const value of values) for (const tag of new Set([value].flat().map(String))) raters.set(tag, (raters.get(tag) ?? 0) + 1);
  return [...raters]
    .filter(([, count]) => count * 2 > values.length)
    .map(([tag]) => tag)
    .sort(compareText);
}
