import fc from 'fast-check';
import { expect, it } from 'vitest';
import { flatLists } from './flat-list.ts';

const NUMBERED = /^(.*?)\.(\d{1,4})\.(.+)$/s;

it('finds the place of an item in a key as the regular expression of such keys does', () => {
  const key = fc.string({ unit: fc.constantFrom('.', '.', '0', '1', '7', 'a', '\n', '😀'), maxLength: 24 });
  fc.assert(
    fc.property(key, (name) => {
      const [, prefix, number, rest] = NUMBERED.exec(name) ?? [];
      const found = [...flatLists([[name, 1]])];
      expect(found).toEqual(prefix === undefined ? [] : [[prefix, [new Map([[rest, 1]])]]]);
      if (number !== undefined) expect(Number(number)).toBeLessThan(10_000);
    }),
    { numRuns: 2_000 },
  );
});

it('orders items by number, whatever order and gaps they came in', () => {
  const keys = ['m.10.role', 'm.2.role', 'm.0.role', 'm.2.text'].map((key) => [key, key] as const);
  expect(flatLists(keys).get('m')).toEqual([
    new Map([['role', 'm.0.role']]),
    new Map([
      ['role', 'm.2.role'],
      ['text', 'm.2.text'],
    ]),
    new Map([['role', 'm.10.role']]),
  ]);
});
