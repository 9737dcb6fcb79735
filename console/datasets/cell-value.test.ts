import { describe, expect, it } from 'vitest';
import { cellText, getCellKind, typedValue } from './cell-value.ts';

describe('a typed value', () => {
  it.each([
    ['a text', 'text'],
    [1.5, 'number'],
    [{ a: 1, b: null }, 'map'],
    [null, 'nothing'],
  ] as const)('%j is what it was when it is typed again', (value, kind) => {
    expect(getCellKind(value)).toBe(kind);
    expect(typedValue(kind, cellText(value))).toEqual(value);
  });

  it('keeps a text that looks like a number, and an empty one', () => {
    expect(typedValue('text', '007')).toBe('007');
    expect(typedValue('text', '')).toBe('');
  });

  it.each([
    ['number', '', 'no number'],
    ['number', 'ten', 'no number'],
    ['map', '{', 'no JSON'],
    ['map', '[1]', 'JSON object'],
    ['map', '{"a":{"b":1}}', '"a"'],
  ] as const)('refuses as %s: %j', (kind, text, words) => {
    expect(() => typedValue(kind, text)).toThrow(words);
  });
});
