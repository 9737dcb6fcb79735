import { expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

it('writes the same value the same way, whatever the order of its keys', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] })).toBe(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }));
  expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  expect([canonicalJson(undefined), canonicalJson({ a: undefined })]).toEqual(['null', '{}']);
});
