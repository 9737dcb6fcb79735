import { describe, expect, it } from 'vitest';
import { ViewState } from '../../../core/saved-views/saved-view.ts';
import type { Place } from '../level.ts';
import { readView } from '../view.ts';
import { canBeSaved, findOtherRun, toViewPath, toViewState } from './view-state.ts';

const place: Place = { project_id: 'p', run_id: 'here', kind: 'log_stream', level: 'trace' };
const now = new Date('2026-03-02T10:00:00.000Z');
const since = { type: 'date', column_id: 'created_at', operator: 'gte', value: '2026-01-01T00:00:00.000Z' };
const failed = { type: 'number', column_id: 'status_code', operator: 'gte', value: 400 };
const listed = readView(
  new URLSearchParams({
    level: 'span',
    filters: JSON.stringify([since, failed]),
    sort: '-metrics/cost',
    columns: '["name","input"]',
    words: 'refund',
    after: 'a-record',
  }),
);
const reopened = (state: ReturnType<typeof toViewState>, at: Place = place) =>
  readView(new URLSearchParams(toViewPath(at, { state: ViewState.parse(state) }, now).split('?')[1]));

describe('a saved view', () => {
  it('opens the list that was saved, from its first page', () => {
    expect(reopened(toViewState(listed))).toEqual({ ...listed, after: undefined });
  });

  it('counts a rolling time range from when it is opened, in place of the times of the filters', () => {
    const state = toViewState(listed, 24);
    expect(state.filters).toEqual([failed]);
    expect(reopened(state).filters).toEqual([failed, { ...since, value: '2026-03-01T10:00:00.000Z' }]);
  });

  it('opens fixed times as filters', () => {
    const time_range = { last_hours: null, from: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
    expect(reopened({ ...toViewState(listed, 1), time_range }).filters).toEqual([
      failed,
      { ...since, value: '2026-01-01T00:00:00Z' },
      { ...since, operator: 'lt', value: '2026-02-01T00:00:00Z' },
    ]);
  });

  it('opens in the log stream at hand, or in the log stream or experiment that it was saved for', () => {
    const state = toViewState(readView(new URLSearchParams()));
    expect(toViewPath(place, { state }, now)).toBe('/projects/p/log_streams/here');
    expect(toViewPath(place, { state: { ...state, run_ids: ['there', 'here'] } }, now)).toBe('/projects/p/log_streams/here');
    const view = { state: { ...state, run_ids: ['there'] } };
    const there = { project_id: 'p', run_id: findOtherRun(place, view)! };
    expect(toViewPath(place, view, now, { ...there, kind: 'log_stream' })).toBe('/projects/p/log_streams/there');
    expect(toViewPath(place, view, now, { ...there, kind: 'experiment' })).toBe('/projects/p/experiments/there/records');
  });

  it('of sessions says whether traces that are one by themselves are among them', () => {
    const implicit = (value: boolean) => ({ type: 'boolean', column_id: 'is_implicit', operator: 'eq', value });
    const usual = readView(new URLSearchParams({ level: 'session' }));
    expect(toViewState(usual).filters).toEqual([implicit(false)]);
    expect(reopened(toViewState(usual))).toMatchObject({ level: 'session', filters: [], showsImplicit: false });
    const all = readView(new URLSearchParams({ level: 'session', implicit: 'shown' }));
    expect(toViewState(all).filters).toEqual([]);
    expect(reopened(toViewState(all))).toMatchObject({ filters: [], showsImplicit: true });
    const alone = readView(new URLSearchParams({ level: 'session', filters: JSON.stringify([implicit(true)]) }));
    expect(reopened(toViewState(alone))).toMatchObject({ filters: [implicit(true)], showsImplicit: false });
    expect(toViewState({ ...usual, tree: { not: { filter: implicit(true) as never } } }).filters).toEqual([]);
  });

  it('is not made of conditions that are joined by "or"', () => {
    expect(canBeSaved(listed)).toBe(true);
    expect(canBeSaved({ ...listed, tree: { or: [] } })).toBe(false);
  });
});
