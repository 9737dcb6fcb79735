import { describe, expect, it } from 'vitest';
import { RATING_TYPES, type RatingValue } from './rating.ts';
import { computeTruth, TRUTH_RULES, type TruthRule } from './truth.ts';

describe('the truth that several answers make', () => {
  it.each<[TruthRule, string, readonly RatingValue[], RatingValue | undefined]>([
    ['majority', 'like_dislike', [true, false, true], true],
    ['majority', 'like_dislike', [false], false],
    ['majority', 'like_dislike', [true, false], undefined],
    ['majority', 'star', [5, 5, 1], 5],
    ['majority', 'star', [5, 5, 1, 1], undefined],
    ['median', 'star', [1, 5, 4], 4],
    ['median', 'score', [10, 15], 12.5],
    ['mean', 'score', [1, 2, 6], 3],
    ['majority', 'tags', [['b', 'a'], ['a'], ['b', 'a']], ['a', 'b']],
    ['majority', 'tags', [['a', 'a'], ['b']], []],
    ['first', 'text', ['first', 'second'], 'first'],
    ['majority', 'text', ['x', 'y', 'y'], 'y'],
    ['median', 'star', [], undefined],
  ])('by the rule %s of %s %o is %o', (rule, type, values, expected) => {
    expect(computeTruth(type as (typeof RATING_TYPES)[number], rule, values)).toEqual(expected);
  });

  it('has a rule for every type of rating', () => {
    expect(Object.keys(TRUTH_RULES).sort()).toEqual([...RATING_TYPES].sort());
  });
});
