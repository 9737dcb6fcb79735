import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToFit } from './cut.ts';

const NOTE = /\n\[… (\d+) characters left out …\]\n/;
const cut = (texts: readonly string[], limit: number) =>
  cutToFit(
    texts.map((text, index) => ({ name: `piece ${index}`, text })),
    limit,
  );

describe('cutting material to fit', () => {
  it('keeps 70 % of the beginning and 30 % of the end of the longest', () => {
    const { pieces, truncated } = cut(['short', 'h'.repeat(500) + 't'.repeat(500)], 105);
    expect(truncated).toBe(true);
    expect(pieces.map(({ text }) => text)).toEqual([
      'short',
      `${'h'.repeat(70)}\n[… 900 characters left out …]\n${'t'.repeat(30)}`,
    ]);
  });

  it('leaves alone what fits', () => {
    expect(cut(['ab', 'cd'], 4)).toEqual({
      pieces: [
        { name: 'piece 0', text: 'ab' },
        { name: 'piece 1', text: 'cd' },
      ],
      truncated: false,
    });
    expect(cut([], 4)).toEqual({ pieces: [], truncated: false });
  });

  it('fits, says how much is gone, and breaks no character', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 600 }), (given, limit) => {
        const { pieces, truncated } = cut(given, limit);
        const kept = pieces.map(({ text }) => text.replace(NOTE, ''));
        expect(kept.join('').length).toBeLessThanOrEqual(limit + given.length);
        expect(truncated).toBe(given.join('').length > limit);
        for (const [index, { text }] of pieces.entries()) {
          expect(text.isWellFormed()).toBe(true);
          const gone = Number(NOTE.exec(text)?.[1] ?? 0);
          expect(kept[index]!.length + gone).toBe(given[index]!.length);
        }
      }),
    );
  });
});
