import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../kernel/slices.ts';
import { compilePattern } from './compile-pattern.ts';
import { findMatches } from './find-matches.ts';
import { PatternError } from './parse-pattern.ts';

const cover = (pattern: string, text: string, ignoreCase = false): string => {
  let covered = '';
  let at = 0;
  for (const { start, end } of runAtOnce(findMatches(compilePattern(pattern, ignoreCase), text))) {
    covered += text.slice(at, start) + '#'.repeat(end - start);
    at = end;
  }
  return covered + text.slice(at);
};

/** The same by trying every part of the text with the engine of JavaScript. */
function coverSlowly(pattern: string, text: string): string {
  const covered = [...text];
  for (let start = 0; start < text.length; start += 1) {
    for (let end = start + 1; end <= text.length; end += 1) {
      // Looks behind at what is in front of it, so that word boundaries and both ends are those of the whole text.
      const is = new RegExp(`(?<=^[^]{${start}})(?:${pattern})(?=[^]{${text.length - end}}$(?![^]))`);
      const match = is.exec(text);
      if (match?.index === start && match[0].length === end - start) covered.fill('#', start, end);
    }
  }
  return covered.join('');
}

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '1', ' ', '\\b', '^', '$', '\\s');
const { pattern: anyPattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?')).map(([a, times]) => `(${a})${times}`),
  ),
}));

describe('findMatches', () => {
  it('covers what any match of the engine of JavaScript covers', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '_'), maxLength: 8 });
    fc.assert(
      fc.property(anyPattern, text, (pattern, given) => {
        expect(cover(pattern, given)).toBe(coverSlowly(pattern, given));
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds characters beyond the basic plane whole, classes, counts and either case', () => {
    expect(cover('[😀-😎]', 'a😃b')).toBe('a##b');
    expect(cover('EMP-\\d{4,6}', 'id EMP-12345, emp-12345')).toBe('id #########, emp-12345');
    expect(cover('emp-\\d{4,6}', 'id EMP-12345', true)).toBe('id #########');
    expect(cover('[^a]', 'bAa', true)).toBe('#Aa');
    expect(cover('\\u{4e2d}|\\x41', 'A中b')).toBe('##b');
  });

  it.each([
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '(',
    ')',
    '[a',
    'a**',
    '*',
    'a{3,1}',
    'a{2001}',
    '\\p{L}',
    '(?i)a',
    '\\',
    '[z-a]',
    '(((a{40}){40}))',
    '\\b+',
  ])('refuses %s', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
  });
});
