import { describe, expect, it } from 'vitest';
import { computeAggregate } from './aggregate.ts';
import { toProblem } from './rating.ts';

describe('an aggregate', () => {
  it.each([
    ['like_dislike', [true, false, true], { like_count: 2, dislike_count: 1 }],
    ['star', [5, 4, 4], { average: 13 / 3, counts: { 1: 0, 2: 0, 3: 0, 4: 2, 5: 1 } }],
    ['score', [10, 20], { average: 15 }],
    ['tags', [['a', 'b'], ['a'], []], { counts: { a: 2, b: 1 } }],
    ['text', ['yes', 'no'], { count: 2 }],
    ['score', [], { average: 0 }],
  ] as const)('of %s %o', (type, values, expected) => {
    expect(computeAggregate(type, values, 3)).toEqual({ ...expected, unrated_count: 3 });
  });
});

describe('a rating', () => {
  const rule = { choices: ['a', 'b'], min: -2, max: 2 };
  it.each([
    ['like_dislike', true, 1],
    ['star', 5, 6],
    ['star', 1, 0],
    ['score', -2, 3],
    ['tags', ['a'], ['a', 'c']],
    ['tags', [], 'a'],
    ['text', 'a', ['a']],
  ] as const)('of %s may be %o and not %o', (type, good, bad) => {
    expect(toProblem({ ...rule, type }, good)).toBeUndefined();
    expect(toProblem({ ...rule, type }, bad)).toBeDefined();
  });

  it('takes any tags where there are no choices', () => {
    expect(toProblem({ ...rule, choices: [], type: 'tags' }, ['anything'])).toBeUndefined();
  });
});
