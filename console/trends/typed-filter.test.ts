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

  it('is told in words', () => {
    expect(filterText(typedFilter('status_code', 'gte', '400'))).toBe('status_code ≥ 400');
    expect(filterText({ type: 'text', column_id: 'name', operator: 'one_of', value: ['a', 'b'], case_sensitive: true })).toBe(
      'name one of a, b',
    );
  });
});
