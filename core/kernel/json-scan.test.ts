import { describe, expect, it } from 'vitest';
import { findJsonExcess } from './json-scan.ts';

const bounds = { maxDepth: 3, maxNames: 2, maxValues: 6, maxForms: 100 };
const excessOf = (text: string) => findJsonExcess(Buffer.from(text), bounds);
const boundedForms = { maxDepth: 5, maxNames: 100_000, maxValues: 1_000_000, maxForms: 4 };
const formsIn = (text: string) => findJsonExcess(Buffer.from(text), boundedForms);

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

  it.each([
    ['the same names in the same order', '[{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":2}]'],
    ['objects that have some of them', '[{"a":1,"b":2,"c":3},{"a":1,"b":2},{"a":1},{}]'],
    ['the same names at every depth', '{"a":{"a":{"a":{"a":{"b":1}}}}}'],
    ['names behind an object and a list', '[{"a":{"b":1},"c":[{"b":{}},{"b":3}],"d":1},{"a":1,"c":2,"d":3}]'],
    ['as many names as may be, with quotes in them', '{"a\\"":1,"b\\\\":2,"c\\"d":3,"":4}'],
    ['values, however many differ', JSON.stringify(Array.from({ length: 100 }, (_, at) => ({ a: `value ${at}`, b: at })))],
  ])('counts a form of objects once: %s', (_what, text) => {
    expect(formsIn(text)).toBeUndefined();
  });

  it.each([
    ['names that all differ', '{"a":1,"b":2,"c":3,"d":4,"e":5}'],
    ['names that differ from object to object', '[{"a":1},{"b":1},{"c":1},{"d":1},{"e":1}]'],
    ['one set of names in many orders', '[{"a":1,"b":2},{"b":1,"a":2},{"c":1,"a":2}]'],
    ['names that differ behind a quote', '{"\\"a":1,"\\"b":2,"\\"c":3,"\\"d":4,"\\"e":5}'],
    [
      'long names that differ in the middle',
      JSON.stringify(Object.fromEntries([...'abcde'].map((x) => [`${'n'.repeat(50)}${x}${'n'.repeat(50)}`, 1]))),
    ],
    ['names with spaces before the colon', '{"a" :1,"b" :2,"c" :3,"d" :4,"e" :5}'],
  ])('finds too many forms of objects: %s', (_what, text) => {
    expect(formsIn(text)).toBe('forms');
  });

  it('counts sixty thousand names without losing more than a few to equal hashes', () => {
    const names = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 0])));
    const most = { ...boundedForms, maxForms: 60_000 };
    expect(findJsonExcess(Buffer.from(names(60_000)), most)).toBeUndefined();
    expect(findJsonExcess(Buffer.from(names(60_010)), most)).toBe('forms');
  });
});
