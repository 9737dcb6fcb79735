import type { RatingType } from '../../core/ratings/rating.ts';
import type { TruthRule } from '../../core/ratings/truth.ts';

/** Rules that fit the type of the answers. */
export const RULES: Readonly<Record<RatingType, readonly TruthRule[]>> = {
  like_dislike: ['majority', 'first'],
  tags: ['majority', 'first'],
  star: ['median', 'mean', 'majority', 'first'],
  score: ['median', 'mean', 'majority', 'first'],
  text: ['first', 'majority'],
};

export const RULE_LABELS: Readonly<Record<TruthRule, string>> = {
  majority: 'Majority',
  mean: 'Mean',
  median: 'Median',
  first: 'First answer',
};
