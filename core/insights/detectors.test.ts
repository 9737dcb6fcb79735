import { describe, expect, it } from 'vitest';
import { outlineMessage } from './error-clusters.ts';
import { dropBetween } from './score-drops.ts';

describe('the outline of a message', () => {
  it.each([
    ['no user 0a1b2c3d-0000-4000-8000-00000000000f after 12.5 s', 'no user <id> after <n> s'],
    ['cannot  read "a b"\n of \'c\'', 'cannot read <text> of <text>'],
    ['request req_8c1f22 timed out', 'request <id> timed out'],
    ['', ''],
  ])('of %j is %j', (message, outline) => {
    expect(outlineMessage(message)).toBe(outline);
  });
});

describe('a drop of scores', () => {
  const alternating = (a: number, b: number, count = 40) => Array.from({ length: count }, (_, at) => (at % 2 ? a : b));

  it('is one that chance does not explain', () => {
    expect(dropBetween(alternating(0.9, 0.8), alternating(0.5, 0.4))).toMatchObject({ counts: [40, 40] });
    expect(dropBetween(alternating(1, 0), alternating(1, 0, 39))).toBeUndefined();
    expect(dropBetween(alternating(1, 1), alternating(0, 0))).toMatchObject({ before: 1, now: 0 });
  });

  it('is no rise, and no trifle', () => {
    expect(dropBetween(alternating(0.5, 0.4), alternating(0.9, 0.8))).toBeUndefined();
    expect(dropBetween([...alternating(0.9, 0.9, 5_000), 0, 1], [...alternating(0.89, 0.89, 5_000), 0, 1])).toBeUndefined();
  });
});
