import { describe, expect, it } from 'vitest';
import { findJsonExcess } from './json-scan.ts';

const bounds = { maxDepth: 3, maxNames: 2, maxValues: 6 };
const excessOf = (text: string) => findJsonExcess(Buffer.from(text), bounds);

describe('the scan of a JSON text', () => {
  it.each([
    ['a value alone', '1'],
    ['as deep as may be', '[[[]]]'],
    ['as many names in one object as may be', '{"a":1,"b":2}'],
    ['as many names in each of two objects', '[{"a":1,"b":2},{"c":3}]'],
    ['names after an object inside', '{"a":{"b":1,"c":2},"d":3}'],
    ['as many values as may be', '[1,2,3,4,5]'],
    ['brackets, colons and commas in strings', '{"a":"{[:,:,:,:,:,:,{[{[","\\\\\\":,,,,,,":"\\\\"}'],
    ['the same in long strings', JSON.stringify({ a: `${'x'.repeat(100)}",:{[\\`.repeat(9) })],
    ['more brackets closed than opened', ']]]]{"a":1}'],
    ['a string that never ends', '["a,,,,,,,,,,'],
  ])('passes %s', (_what, text) => {
    expect(excessOf(text)).toBeUndefined();
  });

  it.each([
    ['depth', '[[[[]]]]'],
    ['depth', '{"a":{"b":[{'],
    ['names', '{"a":1,"b":2,"c":3}'],
    ['names', '{"a":1,"a":2,"a":3}'],
    ['names', '{"a":{"b":1},"b":2,"c":3}'],
    ['values', '[1,2,3,4,5,6,7]'],
    ['values', '[[],[],[],[]]'],
    ['values', '[{},{},{}{}{}{}'],
  ])('finds too much of %s in %s', (excess, text) => {
    expect(excessOf(text)).toBe(excess);
  });
});
