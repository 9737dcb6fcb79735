import { describe, expect, it } from 'vitest';
import { findNonFinite, isDeeperThan, type JsonValue } from './json.ts';

const deep = (levels: number): JsonValue => Array.from({ length: levels }).reduce<JsonValue>((below) => [below], 1);

describe('findNonFinite', () => {
  it.each<[string, (string | number)[] | undefined]>([
    ['[0, {"a": [1, 1e400]}]', [1, 'a', 1]],
    ['{"a": {"b": -1e400}}', ['a', 'b']],
    ['1e400', []],
    ['{"a": [1e308, -0, null, "1e400", true]}', undefined],
  ])('in %s', (json, path) => {
    expect(findNonFinite(JSON.parse(json))).toEqual(path);
  });

  it('walks as deep as parsing does', () => {
    expect(findNonFinite(deep(20_000))).toBeUndefined();
  });
});

it('isDeeperThan counts levels, without walking deeper than it has to', () => {
  expect(isDeeperThan(2, deep(2))).toBe(false);
  expect(isDeeperThan(2, deep(3))).toBe(true);
  expect(isDeeperThan(0, 'text')).toBe(false);
  expect(isDeeperThan(0, [])).toBe(true);
  expect(isDeeperThan(1, { a: [] })).toBe(true);
  expect(isDeeperThan(100, deep(1_000_000))).toBe(true);
});
