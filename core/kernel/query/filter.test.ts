import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  booleanFilter,
  collectionFilter,
  customBooleanFilter,
  customUuidFilter,
  dateFilter,
  enumFilter,
  filterList,
  idFilter,
  numberFilter,
  stringFilter,
} from './filter.ts';
import { type FilterValue, matches, matchesAll } from './filter-matching.ts';

const ID = '0a000000-0000-4000-8000-00000000000a';
const OTHER = '0b000000-0000-4000-8000-00000000000b';

const Any = z.discriminatedUnion('name', [
  stringFilter('string'),
  idFilter('id'),
  dateFilter('date'),
  numberFilter('number'),
  booleanFilter('boolean'),
  enumFilter('enum', ['red', 'green', 'blue']),
  collectionFilter('collection'),
  customUuidFilter('custom_uuid'),
  customBooleanFilter('custom_boolean'),
]);

describe('filters', () => {
  it.each<[string, string, unknown, boolean | undefined, FilterValue, boolean]>([
    ['string', 'eq', 'a', undefined, 'a', true],
    ['string', 'eq', 'a', undefined, 'A', false],
    ['string', 'eq', 'a', false, 'A', true],
    ['string', 'ne', 'a', undefined, 'b', true],
    ['string', 'ne', 'a', undefined, null, true],
    ['string', 'ne', 'a', false, 'A', false],
    ['string', 'contains', '.*', undefined, 'a.*b', true],
    ['string', 'contains', '%', undefined, 'ab', false],
    ['string', 'contains', '', undefined, 'ab', true],
    ['string', 'contains', '', undefined, null, false],
    ['string', 'contains', 'B', false, 'abc', true],
    ['string', 'one_of', ['a', 'b'], undefined, 'b', true],
    ['string', 'one_of', 'a', undefined, 'a', true],
    ['string', 'one_of', [], undefined, 'a', false],
    ['string', 'not_in', [], undefined, 'a', true],
    ['string', 'not_in', ['a'], undefined, 'a', false],
    ['string', 'not_in', ['a'], undefined, null, true],
    ['id', 'eq', ID.toUpperCase(), undefined, ID, true],
    ['id', 'contains', ID, undefined, ID, true],
    ['id', 'one_of', [ID, OTHER], undefined, OTHER, true],
    ['id', 'not_in', [ID], undefined, OTHER, true],
    ['date', 'eq', '2026-01-01T01:00:00+01:00', undefined, '2026-01-01T00:00:00.000Z', true],
    ['date', 'gt', '2026-01-01T00:00:00.123Z', undefined, '2026-01-01T00:00:00.123456Z', true],
    ['date', 'gte', '2026-01-01T00:00:00.123456Z', undefined, '2026-01-01T00:00:00.123Z', false],
    ['date', 'lt', '2026-01-01T00:00:00.123456Z', undefined, '2026-01-01T00:00:00.123Z', true],
    ['date', 'lte', '2026-01-01T00:00:00Z', undefined, null, false],
    ['date', 'ne', '2026-01-01T00:00:00Z', undefined, null, true],
    ['number', 'eq', 2, undefined, 2, true],
    ['number', 'ne', 2, undefined, 2, false],
    ['number', 'between', [1, 2], undefined, 1, true],
    ['number', 'between', [1, 2], undefined, 2, true],
    ['number', 'between', [2, 1], undefined, 1.5, false],
    ['number', 'gt', 1, undefined, null, false],
    ['boolean', 'eq', true, undefined, true, true],
    ['boolean', 'ne', true, undefined, null, true],
    ['enum', 'one_of', ['red'], undefined, 'green', false],
    ['enum', 'ne', 'red', undefined, 'green', true],
    ['collection', 'eq', ['b', 'a', 'a'], undefined, ['a', 'b'], true],
    ['collection', 'eq', ['a'], undefined, ['a', 'b'], false],
    ['collection', 'eq', [], undefined, [], true],
    ['collection', 'contains', ['A', 'b'], false, ['a', 'B', 'c'], true],
    ['collection', 'contains', 'ab', undefined, ['abc'], false],
    ['collection', 'not_in', ['a', 'x'], undefined, ['a'], false],
    ['collection', 'not_in', [], undefined, ['a'], true],
  ])('%s %s %j (case_sensitive %j) on %j is %j', (name, operator, value, case_sensitive, has, expected) => {
    expect(matches(Any.parse({ name, operator, value, case_sensitive }), has)).toBe(expected);
  });

  it('evaluates custom filters without an operator', () => {
    expect(matches(Any.parse({ name: 'custom_uuid', value: ID }), [OTHER, ID])).toBe(true);
    expect(matches(Any.parse({ name: 'custom_uuid', value: ID }), OTHER)).toBe(false);
    expect(matches(Any.parse({ name: 'custom_boolean', value: false }), false)).toBe(true);
  });

  it('joins a list by and, and lets an empty list pass everything', () => {
    const filters = ['a', 'b'].map((value) => Any.parse({ name: 'string', operator: 'contains', value }));
    expect(matchesAll(filters, () => 'abc')).toBe(true);
    expect(matchesAll(filters, () => 'bcd')).toBe(false);
    expect(matchesAll([], () => null)).toBe(true);
  });

  it('takes null for what is optional', () => {
    expect(Any.parse({ name: 'id', operator: null, value: ID })).toMatchObject({ operator: 'eq', values: [ID] });
    expect(Any.parse({ name: 'boolean', operator: null, value: true })).toMatchObject({ operator: 'eq' });
    expect(Any.parse({ name: 'string', operator: 'eq', value: 'a', case_sensitive: null })).toMatchObject({
      case_sensitive: true,
    });
    expect(filterList(Any).parse(null)).toEqual([]);
    expect(filterList(Any).parse(undefined)).toEqual([]);
  });

  it.each([
    { name: 'unknown', operator: 'eq', value: 'a' },
    { name: 'string', operator: 'like', value: 'a' },
    { name: 'string', operator: 'eq', value: ['a'] },
    { name: 'string', operator: 'contains', value: [] },
    { name: 'string', operator: 'eq', value: null },
    { name: 'string', operator: 'eq', value: 'a\0b' },
    { name: 'string', operator: 'eq', value: '\ud800' },
    { name: 'string', operator: 'eq', value: 'x'.repeat(1001) },
    { name: 'string', operator: 'one_of', value: Array.from({ length: 1001 }, () => 'a') },
    { name: 'string', value: 'a' },
    { name: 'id', value: 'not an id' },
    { name: 'id', value: [ID] },
    { name: 'date', operator: 'eq', value: 'yesterday' },
    { name: 'date', operator: 'eq', value: 'infinity' },
    { name: 'number', operator: 'eq', value: '1' },
    { name: 'number', operator: 'eq', value: [1, 2] },
    { name: 'number', operator: 'between', value: 1 },
    { name: 'number', operator: 'between', value: [1] },
    { name: 'number', operator: 'between', value: [1, 2, 3] },
    { name: 'number', operator: 'eq', value: Number.POSITIVE_INFINITY },
    { name: 'boolean', value: 'true' },
    { name: 'enum', operator: 'eq', value: 'violet' },
    { name: 'enum', operator: 'contains', value: 'red' },
    { name: 'collection', operator: 'one_of', value: 'a' },
    { name: 'custom_uuid', value: 'x' },
  ])('refuses %j', (filter) => {
    expect(Any.safeParse(filter).success).toBe(false);
  });

  it('refuses more filters than anyone writes', () => {
    const filter = { name: 'custom_boolean', value: true };
    expect(filterList(Any).safeParse(Array.from({ length: 101 }, () => filter)).success).toBe(false);
  });

  it('can be printed as JSON Schema', () => {
    expect(JSON.stringify(z.toJSONSchema(filterList(Any), { io: 'input' }))).toContain('custom_boolean');
  });
});
