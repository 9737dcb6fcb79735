import { describe, expect, it } from 'vitest';
import {
  durationIn,
  isOn,
  turnsIn,
  withBookmarked,
  withComments,
  withDuration,
  withErrors,
  withTime,
  withTurns,
  withValue,
} from './quick-filters.ts';

const now = new Date(2026, 10, 23, 15, 30);
const said = (filters: ReturnType<typeof withTime>) => filters.map(({ operator, value }) => [operator, value]);

describe('quick filters', () => {
  it('are a day of the time zone of the reader, in place of the time before', () => {
    const yesterday = withTime([], 'yesterday', now);
    expect(said(yesterday)).toEqual([
      ['gte', new Date(2026, 10, 22).toISOString()],
      ['lt', new Date(2026, 10, 23).toISOString()],
    ]);
    expect(said(withTime(yesterday, '1h', now))).toEqual([['gte', new Date(2026, 10, 23, 14, 30).toISOString()]]);
    expect(withTime(yesterday, '', now)).toEqual([]);
  });

  it('are errors, and no longer', () => {
    const errors = withErrors([], true);
    expect(said(errors)).toEqual([['gte', 400]]);
    expect([isOn(errors, 'status_code'), withErrors(errors, false)]).toEqual([true, []]);
  });

  it('are comments, and no longer', () => {
    const commented = withComments(withErrors([], true), true);
    expect(commented.map(({ column_id, value }) => [column_id, value])).toEqual([
      ['status_code', 400],
      ['num_comments', 1],
    ]);
    expect(withComments(commented, false)).toEqual(withErrors([], true));
  });

  it('are bookmarks of the reader, and no longer', () => {
    const marked = withBookmarked([], true);
    expect(marked).toEqual([{ type: 'boolean', column_id: 'is_bookmarked', operator: 'eq', value: true }]);
    expect(withBookmarked(marked, false)).toEqual([]);
  });

  it('are a duration, which is read back', () => {
    const slow = withDuration(withDuration([], 1), 3);
    expect(said(slow)).toEqual([['gte', 3e9]]);
    expect([durationIn(slow), durationIn([]), withDuration(slow, undefined)]).toEqual([3, undefined, []]);
  });

  it('are a number of turns beside a duration', () => {
    const long = withTurns(withTurns(withDuration([], 1), 2), 5);
    expect(said(long)).toEqual([
      ['gte', 1e9],
      ['gte', 5],
    ]);
    expect([turnsIn(long), durationIn(withTurns(long, undefined)), turnsIn(withTurns(long, undefined))]).toEqual([
      5,
      1,
      undefined,
    ]);
  });

  it('are a value of a column, compared as its type is', () => {
    const of = (filter_type: string) => withValue([], { id: 'x', filter_type }, 'true')[0];
    expect(of('text')).toMatchObject({ type: 'text', operator: 'eq', value: 'true' });
    expect(of('boolean')).toMatchObject({ type: 'boolean', operator: 'eq', value: true });
    expect(withValue([], { id: 'x', filter_type: 'number' }, '2')[0]).toMatchObject({ type: 'number', operator: 'eq', value: 2 });
    expect(of('collection')).toMatchObject({ type: 'collection', operator: 'contains', value: 'true' });
  });
});
