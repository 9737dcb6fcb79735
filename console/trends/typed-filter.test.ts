import { describe, expect, it } from 'vitest';
import { filterText, typedFilter } from './typed-filter.ts';

const getKind = (...typed: Parameters<typeof typedFilter>) => {
  const { type, operator, value } = typedFilter(...typed);
  return [type, operator, value];
};

describe('a filter that is typed', () => {
  it('is of the kind that its column has', () => {
    expect(getKind('name', 'eq', 'a')).toEqual(['text', 'eq', 'a']);
    expect(getKind('status_code', 'eq', '500')).toEqual(['number', 'eq', 500]);
    expect(getKind('tags', 'eq', 'a')).toEqual(['collection', 'contains', 'a']);
    expect(getKind('tags', 'ne', 'a')).toEqual(['collection', 'not_in', 'a']);
    expect(getKind('has_children', 'eq', 'true')).toEqual(['boolean', 'eq', true]);
    expect(getKind('created_at', 'gte', '2026-05-01T00:00:00Z')).toEqual(['date', 'gte', '2026-05-01T00:00:00Z']);
  });

  it('is of the kind that the value of a metric has', () => {
    expect(getKind('metrics/cost', 'gt', '0.5')).toEqual(['number', 'gt', 0.5]);
    expect(getKind('metrics/verdict', 'eq', 'good')).toEqual(['text', 'eq', 'good']);
  });

  it('takes durations with their unit, and tells them so', () => {
    const filter = typedFilter('metrics/duration_ns', 'gte', '200 ms');
    expect(filter).toMatchObject({ type: 'number', value: 200_000_000 });
    expect(filterText(filter)).toBe('metrics/duration_ns ≥ 200 ms');
    expect(() => typedFilter('metrics/duration_ns', 'gte', 'long')).toThrow('"long" is not a duration');
  });

  it('refuses an order of what is no number', () => {
    expect(() => typedFilter('metrics/cost', 'gt', 'much')).toThrow('"much" is not a number');
  });

  it.each<[string, unknown]>([
    ['name is a', { value: 'a' }],
    ['name is not a', { name: 'node_name', filter_type: 'string', operator: 'ne', value: 'a' }],
    ['metadata tier one of gold, silver', { name: 'metadata', key: 'tier', operator: 'one_of', value: ['gold', 'silver'] }],
    ['topic contains day', { column_name: 'topic', value: 'day' }],
    ['input is not day', { name: 'input', operator: 'ne', value: 'day' }],
    ['status_code ≥ 400', { column_id: 'status_code', operator: 'gte', value: 400 }],
    ['tags contains a', { type: 'collection', column_id: 'tags', value: 'a' }],
    [
      'metrics/duration_ns ≥ 200 ms',
      { filter: { type: 'number', column_id: 'metrics/duration_ns', operator: 'gte', value: 200_000_000 } },
    ],
    ['name is a or name is b', { or: [{ value: 'a' }, { filter: { value: 'b' } }] }],
    ['not (name is a or name is b)', { not: { or: [{ value: 'a' }, { value: 'b' }] } }],
    [
      'input is x and (name is a or not name is b)',
      { and: [{ name: 'input', value: 'x' }, { or: [{ value: 'a' }, { not: { value: 'b' } }] }] },
    ],
    ['name is a', { and: [{ value: 'a' }] }],
    ['everything', { and: [] }],
    ['{"odd":1}', { odd: 1 }],
    ['7', 7],
  ])('is told in words, "%s", whichever form another client has written it in', (words, filter) => {
    expect(filterText(filter)).toBe(words);
  });

  it('is told in words', () => {
    expect(filterText(typedFilter('status_code', 'gte', '400'))).toBe('status_code ≥ 400');
    expect(filterText({ type: 'text', column_id: 'name', operator: 'one_of', value: ['a', 'b'], case_sensitive: true })).toBe(
      'name one of a, b',
    );
  });
});
