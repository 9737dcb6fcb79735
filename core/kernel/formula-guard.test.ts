import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveFormulaGuards, withFormulaGuards, withoutFormulaGuards } from './formula-guard.ts';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\uff1d1', '\uff0b1', '\uff0d1', '\uff201'];

describe('a formula guard', () => {
  it.each(FORMULAS)('stands before %s wherever a cell may begin', (formula) => {
    for (const before of [
      '',
      'a;',
      'a\t',
      'a\n',
      'a\r\n',
      'a\r',
      ' ',
      '\u00a0',
      '\0',
      'a; ',
      'a;\u3000 ',
      'a\n\0',
      'a;;',
      '";',
      ',";',
    ])
      expect(withFormulaGuards(before + formula), JSON.stringify(before)).toBe(
        before.replace(/([^;\t\r\n"a,]*)$/, `'$1${formula}`),
      );
  });

  it.each([
    ['\t=1', "'\t'=1"],
    ['\n\n-1', "'\n\n'-1"],
    ['\0a', "'\0a"],
    ['=1;=2', "'=1;'=2"],
    ["'=1", "''=1"],
    ["a;'=1", "a;''=1"],
  ])('makes %j %j', (text, guarded) => {
    expect(withFormulaGuards(text)).toBe(guarded);
    expect(withoutFormulaGuards(guarded)).toBe(text);
  });

  it.each(['', 'a', 'a=b', 'a,=b', 'a -1', "it's", 'a;b', 'a\n\nb', 'a; b - c', '1;2;3', 'x\ty', '|=1'])(
    'leaves %j as it is',
    (text) => {
      expect(withFormulaGuards(text)).toBe(text);
      expect(mayHaveFormulaGuards(text)).toBe(false);
    },
  );

  it('can be taken off every text again, and leaves nothing that begins a formula', () => {
    const piece = fc.constantFrom(
      ';',
      '\t',
      '\n',
      '\r',
      ' ',
      '\0',
      "'",
      '=',
      '-',
      '@',
      '\uff1d',
      'a',
      '"',
      ',',
      '\ufeff',
      '\u00a0',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const guarded = withFormulaGuards(given);
        expect(withoutFormulaGuards(guarded)).toBe(given);
        for (const cell of guarded.split(/[;\t\r\n]/))
          expect(cell.replaceAll('\0', '').trim()).not.toMatch(/^[=+\-@\uff1d\uff0b\uff0d\uff20]/);
      }),
      { numRuns: 5_000 },
    );
  });

  it('costs no more than its text is long', () => {
    for (const part of [' ', "'", '\0', ';', '\t', "; '", '\0 ', ' \0']) {
      const text = part.repeat(200_000);
      expect(withoutFormulaGuards(withFormulaGuards(text))).toBe(text);
    }
  });
});
