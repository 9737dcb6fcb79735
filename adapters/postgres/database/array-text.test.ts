import { expect, it } from 'vitest';
import { toPlainArray, toTextArray } from './array-text.ts';

it('arrays of plain values are written without quotes', () => {
  expect(toPlainArray([])).toBe('{}');
  expect(toPlainArray(['00000000-0000-4000-8000-000000000001', '2026-01-02T03:04:05.678901Z'])).toBe(
    '{00000000-0000-4000-8000-000000000001,2026-01-02T03:04:05.678901Z}',
  );
  expect(toPlainArray([1.5, -2e-7, true])).toBe('{1.5,-2e-7,true}');
});

it('arrays of texts keep whatever the texts hold', () => {
  expect(toTextArray(['a', 'b,"c"', '\\', '', 'a', 'NULL', '{}'])).toBe('{"a","b,\\"c\\"","\\\\","","a","NULL","{}"}');
});
