import { describe, expect, it } from 'vitest';
import type { ScoreDetail } from '../../../core/scorers/score-detail.ts';
import { aggregateText, ratingText, tagsIn } from './ratings.ts';
import { scoreText } from './score-text.ts';
import { shownScores } from './scores.ts';

describe('a score in a few words', () => {
  it('is its value, or why there is none', () => {
    expect(scoreText({ status_type: 'success', value: true })).toBe('true');
    expect(scoreText({ status_type: 'success', value: 0.66666 })).toBe('0.667');
    expect(scoreText({ status_type: 'success', value: ['a', 'b'] })).toBe('["a","b"]');
    expect(scoreText({ status_type: 'not_computed', message: 'later' })).toBe('not computed');
  });

  it('of what stands below is the average, else what is known', () => {
    expect(scoreText({ status_type: 'roll_up', roll_up_metrics: { sum: 3, average: 1.5 } })).toBe('avg 1.5');
    expect(scoreText({ status_type: 'roll_up', roll_up_metrics: { category_count: { ok: 2 } } })).toBe('ok × 2');
  });
});

describe('the scores of a record', () => {
  it('stand with what is kept of them, those with a result first, the newest under a name', () => {
    const detail = (metric_name: string, value: number) => ({ metric_name, value }) as unknown as ScoreDetail;
    const info = { waiting: { status_type: 'pending' }, given: { status_type: 'success', value: 2 } };
    const shown = shownScores(info, [detail('given', 1), detail('given', 2)]);
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

  it('take tags from a line of text, each once', () => {
    expect(tagsIn(' a, b,,a ')).toEqual(['a', 'b']);
  });
});
