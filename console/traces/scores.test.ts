import { describe, expect, it } from 'vitest';
import type { ScoreDetail } from '../../core/scorers/scores/score-detail.ts';
import { aggregateText, ratingText } from './ratings/ratings.ts';
import { shownScores } from './scores.ts';

describe('the scores of a record', () => {
  it('stand with what is kept of them, those with a result first, the newest under a name', () => {
    const detail = (metric_name: string, value: number) => ({ metric_name, value }) as unknown as ScoreDetail;
    const scores = { waiting: { status_type: 'pending' }, given: { status_type: 'success', value: 2 } };
    const shown = shownScores(scores, [detail('given', 1), detail('given', 2)]);
    expect(shown.map(({ name, detail }) => [name, detail?.value])).toEqual([
      ['given', 2],
      ['waiting', undefined],
    ]);
  });
});

describe('ratings in words', () => {
  it('say what was answered', () => {
    expect([ratingText('like_dislike', false), ratingText('star', 3), ratingText('tags', ['a', 'b'])]).toEqual([
      'disliked',
      '3 of 5 stars',
      'a, b',
    ]);
    expect(aggregateText('tags', { counts: { rude: 2, kind: 1 } })).toBe('rude × 2, kind × 1');
    expect(aggregateText('star', undefined)).toBe('no answers yet');
  });
});
