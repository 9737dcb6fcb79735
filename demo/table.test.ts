import { expect, it } from 'vitest';
import { painter } from './report.ts';
import { excerpt, table, width } from './table.ts';

it('measures what a terminal draws', () => {
  expect(width('abc')).toBe(3);
  expect(width('本町')).toBe(4);
  expect(width('Zoe\u0308')).toBe(3);
  expect(width('👨‍👩‍👧‍👦')).toBe(2);
  expect(width(painter(true)('red', 'abc'))).toBe(3);
});

it('cuts between characters, not inside them', () => {
  expect(excerpt('本町の近く', 6)).toBe('本町…');
  expect(excerpt('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3)).toBe('👨‍👩‍👧‍👦…');
  expect(excerpt('two\nlines', 20)).toBe('two lines');
});

it('aligns columns by width', () => {
  const text = table(
    [{ title: 'a' }, { title: 'n', align: 'right' }, { title: 'z' }],
    [
      ['本', '1', 'x'],
      ['abc', '22', 'y'],
    ],
  );
  expect(text).toBe('a     n  z\n本    1  x\nabc  22  y');
});
