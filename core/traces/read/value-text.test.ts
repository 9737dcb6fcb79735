import { expect, it } from 'vitest';
import type { JsonValue } from '../../kernel/json.ts';
import { valueText } from './value-text.ts';

it.each<[JsonValue, string | null]>([
  [null, null],
  ['', ''],
  ['a "b"', 'a "b"'],
  [true, 'true'],
  [0, '0'],
  [-0, '0'],
  [-1.5, '-1.5'],
  [1e21, '1000000000000000000000'],
  [-1.25e22, '-12500000000000000000000'],
  [1.5e-7, '0.00000015'],
  [5e-324, `0.${'0'.repeat(323)}5`],
  [[], '[]'],
  [[1, 'a', null, [false]], '[1, "a", null, [false]]'],
  [{}, '{}'],
  [{ bb: 1, c: 2, a: { é: 3, zz: 4, zy: 5 } }, '{"a": {"zy": 5, "zz": 4, "é": 3}, "c": 2, "bb": 1}'],
  [['"\\\n\t\u0001\u007f\u2028'], '["\\"\\\\\\n\\t\\u0001\u007f\u2028"]'],
  [['\0\ud83e'], '["\0\ud83e"]'],
])('writes %j as PostgreSQL writes jsonb', (value, expected) => {
  expect(valueText(value)).toBe(expected);
});
