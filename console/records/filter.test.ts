import { describe, expect, it } from 'vitest';
import { RecordFilter } from '../../core/traces/record-query.ts';
import { filterText, OPERATORS, type Typed, toFilter, toTypedFilter, valueForm } from './filter.ts';

const TYPED: Typed = { column_id: 'name', type: 'text', operator: 'contains', value: 'a', second: '', case_sensitive: false };
const VALUES: Readonly<Record<ReturnType<typeof valueForm>, Pick<Typed, 'value' | 'second'>>> = {
  one: { value: '1', second: '' },
  many: { value: 'a\nb', second: '' },
  two: { value: '1', second: '2' },
  truth: { value: 'false', second: '' },
  moment: { value: '2026-11-02T08:14', second: '' },
};

describe('filters typed in', () => {
  const pairs = Object.entries(OPERATORS).flatMap(([type, operators]) =>
    operators.map((operator) => ({ type: type as Typed['type'], operator })),
  );

  it.each(pairs)('are the API’s own, and come back as they were typed: $type $operator', ({ type, operator }) => {
    const typed = { ...TYPED, type, operator, ...VALUES[valueForm(type, operator)] };
    const id = '2b0c4c4e-8f4e-4a53-9d6a-5b8c4c1f0a11';
    const own = type === 'id' ? { ...typed, value: id } : typed;
    const filter = toFilter(own);
    expect(RecordFilter.parse(filter)).toMatchObject(filter);
    const { case_sensitive: _sensitive, ...rest } = own;
    expect(toTypedFilter(filter)).toMatchObject(rest);
  });

  it('refuse what is not a number or a moment', () => {
    expect(() => toFilter({ ...TYPED, type: 'number', operator: 'gt', value: ' ' })).toThrow('is not a number');
    expect(() => toFilter({ ...TYPED, type: 'date', operator: 'gt', value: '' })).toThrow('a day and a time');
  });

  it('take durations with their unit, and tell them so', () => {
    const typed: Typed = { ...TYPED, column_id: 'metrics/duration_ns', type: 'number', operator: 'gte', value: '1.5 s' };
    const filter = toFilter(typed);
    expect(filter.value).toBe(1_500_000_000);
    expect(toTypedFilter(filter).value).toBe('1.5 s');
    expect(filterText(filter, 'Duration')).toBe('Duration ≥ 1.5 s');
    const between = toFilter({ ...typed, operator: 'between', value: '20', second: '3 min' });
    expect(between.value).toEqual([20_000_000_000, 180_000_000_000]);
    expect(toTypedFilter(between)).toMatchObject({ value: '20 s', second: '3 min' });
    expect(() => toFilter({ ...typed, value: 'long' })).toThrow('"long" is not a duration');
  });

  it('drop empty lines of lists', () => {
    expect(toFilter({ ...TYPED, operator: 'one_of', value: ' a \n\n b' }).value).toEqual(['a', 'b']);
  });

  it('are told in words', () => {
    expect(filterText(toFilter(TYPED), 'Name')).toBe('Name contains “a”');
    const between: Typed = { ...TYPED, type: 'number', operator: 'between', value: '1', second: '2' };
    expect(filterText(toFilter(between), 'Cost')).toBe('Cost is between 1 and 2');
  });
});
