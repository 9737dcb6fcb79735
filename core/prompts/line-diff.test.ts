import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';

const side = (before: string, after: string, left: 'removed' | 'added') =>
  diffLines(before, after)
    .filter(({ change }) => change === 'same' || change === left)
    .map(({ text }) => text)
    .join('\n');

describe('diffLines', () => {
  it('says what was removed and added between lines that stayed', () => {
    expect(diffLines('a\nb\nc', 'a\nx\nc')).toEqual([
      { change: 'same', text: 'a' },
      { change: 'removed', text: 'b' },
      { change: 'added', text: 'x' },
      { change: 'same', text: 'c' },
    ]);
    expect(diffLines('same', 'same')).toEqual([{ change: 'same', text: 'same' }]);
  });

  it('keeps lines that moved around others as one removal and one addition', () => {
    const changes = diffLines('one\ntwo\nthree\nfour', 'two\nthree\nfour\none').map(({ change }) => change);
    expect(changes).toEqual(['removed', 'same', 'added']);
  });

  it('gives both texts back, whatever they are', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const text = () => Array.from({ length: random(30) }, () => 'abcdefgh'[random(8)]!.repeat(random(3))).join('\n');
    for (let round = 0; round < 300; round++) {
      const [before, after] = [text(), text()];
      expect(side(before, after, 'removed')).toBe(before);
      expect(side(before, after, 'added')).toBe(after);
    }
  });

  it('takes texts of very many lines', () => {
    const lines = (word: string) => Array.from({ length: 300_000 }, (_, at) => `${at % 2 ? word : ''}`).join('\n');
    expect(side(lines('a'), lines('b'), 'added')).toBe(lines('b'));
    expect(diffLines(lines('a'), lines('b')).length).toBeLessThan(40_010);
  });
});
