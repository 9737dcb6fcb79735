import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines, nearChanges } from './line-diff.ts';

const MARKS = { same: ' ', gone: '-', new: '+' } as const;
const shown = (lines: readonly (DiffLine | null)[]): string[] =>
  lines.map((line) => (line === null ? '…' : `${MARKS[line.kind]}${line.text}`));

describe('the difference of two texts', () => {
  it('keeps what both have and tells what went and what came', () => {
    expect(shown(diffLines('a\nb\nc\nd', 'a\nc\nx\nd'))).toEqual([' a', '-b', ' c', '+x', ' d']);
  });

  it('is empty of changes for the same text', () => {
    expect(diffLines('a\nb', 'a\nb').every(({ kind }) => kind === 'same')).toBe(true);
    expect(nearChanges(diffLines('a\nb', 'a\nb'))).toEqual([null]);
  });

  it('does not count a line twice when one text repeats it', () => {
    expect(shown(diffLines('a\na', 'a'))).toEqual([' a', '-a']);
    expect(shown(diffLines('a', 'a\na\na'))).toEqual([' a', '+a', '+a']);
  });

  it('turns the first text into the second, whatever they are', () => {
    const letters = (seed: number) => Array.from({ length: 12 }, (_, at) => 'abc'[(seed * (at + 3) * 7) % 3]).join('\n');
    for (let seed = 1; seed < 40; seed += 1) {
      const [before, after] = [letters(seed), letters(seed * 5 + 1)];
      const lines = diffLines(before, after);
      const without = (kind: DiffLine['kind']) => lines.filter((line) => line.kind !== kind).map(({ text }) => text);
      expect(without('new').join('\n')).toBe(before);
      expect(without('gone').join('\n')).toBe(after);
    }
  });

  it('leaves out what is far from any change', () => {
    const before = Array.from({ length: 9 }, (_, at) => String(at));
    const after = before.with(4, 'x');
    expect(shown(nearChanges(diffLines(before.join('\n'), after.join('\n')), 1))).toEqual(['…', ' 3', '-4', '+x', ' 5', '…']);
  });

  it('shows very long texts as replaced rather than to wait', () => {
    const long = (mark: string) => Array.from({ length: 3000 }, (_, at) => `${mark}${at}`).join('\n');
    expect(diffLines(long('a'), long('b'))).toHaveLength(6000);
  });
});
