import type { RatingType, RatingValue } from '../../../core/ratings/rating.ts';
import { numberText } from '../../kit/formatting.ts';

/** Summary of several answers in words: `annotation_aggregates` holds it by the type of the question. */
export function aggregateText(type: RatingType, aggregate: Readonly<Record<string, unknown>> | undefined): string {
  if (!aggregate) return 'no answers yet';
  const count = (name: string): string => numberText(aggregate[name] as number);
  switch (type) {
    case 'like_dislike':
      return `${count('like_count')} liked, ${count('dislike_count')} disliked`;
    case 'star':
      return `${count('average')} of 5 stars on average`;
    case 'score':
      return `${count('average')} on average`;
    case 'tags':
      return Object.entries((aggregate.counts ?? {}) as Record<string, number>)
        .map(([tag, times]) => `${tag} × ${times}`)
        .join(', ');
    case 'text':
      return `${count('count')} answers`;
  }
}

export function ratingText(type: RatingType, value: RatingValue): string {
  if (type === 'like_dislike') return value === true ? 'liked' : 'disliked';
  if (type === 'star') return `${value} of 5 stars`;
  return Array.isArray(value) ? value.join(', ') : String(value);
}
