import { expect, it } from 'vitest';
import type { JsonValue } from '../../kernel/json.ts';
import { getScoreType } from './task-result.ts';

it.each<[JsonValue[], string]>([
  [[true, false], 'bool'],
  [[1, 2], 'int'],
  [[1, 2.5], 'float'],
  [[0.5], 'float'],
  [['a', 'b'], 'str'],
  [[['a'], [1]], 'list'],
  [[true, 1], 'str'],
  [[null, 3], 'int'],
  [[null], 'str'],
  [[], 'str'],
])('values %j are of type %s', (values, expected) => {
  expect(getScoreType(values)).toBe(expected);
});
