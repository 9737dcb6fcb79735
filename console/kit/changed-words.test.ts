import { describe, expect, it } from 'vitest';
import { changedWords } from './changed-words.ts';

const shown = (before: string, after: string): string =>
  changedWords(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `{+${text}+}`))
    .join('');
const getSide = (parts: ReturnType<typeof changedWords>, other: 'removed' | 'added'): string =>
  parts
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join('');

describe('changed words', () => {
  it('are marked one by one, with what stays between them', () => {
    expect(shown('It takes 5 to 8 days.', 'It takes 3 to 8 working days.')).toBe('It takes [-5-]{+3+} to 8{+ working+} days.');
    expect(shown('Their own answer.', 'Quite short answer.')).toBe('[-Their own-]{+Quite short+} answer.');
    expect(shown('at 0', 'at 0.5')).toBe('at [-0-]{+0.5+}');
    expect(shown('', 'new')).toBe('{+new+}');
    expect(shown('old', '')).toBe('[-old-]');
    expect(shown('same', 'same')).toBe('same');
    expect(shown('', '')).toBe('');
  });

  it('are found in scripts other than Latin, and a comma is no part of its word', () => {
    expect(shown('Здравствуй, мир', 'Здравствуй! мир')).toBe('Здравствуй[-,-]{+!+} мир');
  });

  it('give both texts back, whatever they are', () => {
    const words = ['a', 'b', ' ', 'c', '.', '\n', 'é', '🚲'];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let turn = 0; turn < 500; turn += 1) {
      const [before, after] = [0, 1].map(() => Array.from({ length: random(30) }, () => words[random(words.length)]).join(''));
      const parts = changedWords(before!, after!);
      expect(getSide(parts, 'added')).toBe(before);
      expect(getSide(parts, 'removed')).toBe(after);
    }
  });

  it('of texts that have little in common are the whole of both, and quickly', () => {
    const [before, after] = ['x', 'y'].map((letter) => Array.from({ length: 20_000 }, (_, at) => `${letter}${at}`).join(','));
    const parts = changedWords(before!, after!);
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  });
});
