import { describe, expect, it } from 'vitest';
import type { RecordFilter } from '../../core/traces/record-query.ts';
import { columnChanges, filterChanges, isSelective, readView, sortChanges, TREE_REMOVED } from './view.ts';

const FILTER: RecordFilter = { type: 'number', column_id: 'metrics/cost', operator: 'gte', value: 0.5 };
const ALL = { after: undefined, before: undefined };

const written = (changes: Readonly<Record<string, string | undefined>>): URLSearchParams =>
  new URLSearchParams(Object.entries(changes).filter((pair): pair is [string, string] => pair[1] !== undefined));

describe('what the address says of the records', () => {
  it('is the newest traces when it says nothing', () => {
    const view = readView(new URLSearchParams());
    expect(view).toMatchObject({ level: 'trace', sort: { column_id: 'created_at', ascending: false }, filters: [], live: true });
    expect(view.columns).toBeUndefined();
  });

  it('reads back filters, columns and order as they were written', () => {
    const sort = { column_id: 'metrics/a-b, c', ascending: false };
    const params = written({ ...filterChanges([FILTER]), ...columnChanges(['name', 'metrics/x,y']), ...sortChanges(sort) });
    expect(readView(new URLSearchParams(params.toString()))).toMatchObject({
      filters: [FILTER],
      columns: ['name', 'metrics/x,y'],
      sort,
      unreadable: [],
    });
  });

  it('reads back conditions that are joined by or and not, and names those that cannot be read', () => {
    const tree = { or: [{ filter: FILTER }, { not: { filter: FILTER } }] };
    const view = readView(new URLSearchParams({ tree: JSON.stringify(tree) }));
    expect([view.tree, view.unreadable, isSelective(view)]).toEqual([tree, [], true]);
    expect(readView(written(TREE_REMOVED)).tree).toBeUndefined();
    for (const broken of ['{', '[]', '1', '{"a":1}', ''])
      expect(readView(new URLSearchParams({ tree: broken }))).toMatchObject({ tree: undefined, unreadable: ['tree'] });
  });

  it('turns back to the first page with another order or other filters', () => {
    expect(filterChanges([])).toEqual({ ...ALL, filters: undefined });
    expect(sortChanges({ column_id: 'created_at', ascending: false })).toEqual({ ...ALL, sort: undefined });
  });

  it.each(['{', '{}', '[1]', '[null]', '[{"column_id":"name"}]'])('names filters that cannot be read: %s', (filters) => {
    expect(readView(new URLSearchParams({ filters }))).toMatchObject({ filters: [], unreadable: ['filters'] });
  });

  it('names columns that cannot be read', () => {
    expect(readView(new URLSearchParams({ columns: '[1]' }))).toMatchObject({ unreadable: ['columns'] });
  });
});
