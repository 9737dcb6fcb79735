import type { SavedView, ViewState } from '../../../core/saved-views/saved-view.ts';
import type { RecordFilter } from '../../../core/traces/record-query.ts';
import { changedPath } from '../../kit/view-changes.ts';
import { parseAllFilters, toAllFilters } from '../implicit-sessions.ts';
import { type Place, toListPath } from '../level.ts';
import { TIME } from '../quick-filters.ts';
import { columnChanges, FIRST_PAGE, filterChanges, implicitChanges, type RecordsView, sortChanges } from '../view.ts';

const HOUR_MS = 3_600_000;

/** Time ranges that are counted anew from whenever a view is opened, in hours; none keeps the times of the filters. */
export const ROLLING_RANGES = [
  { id: '', label: 'As filtered now' },
  { id: '1', label: 'Last hour' },
  { id: '24', label: 'Last 24 hours' },
  { id: '168', label: 'Last 7 days' },
  { id: '720', label: 'Last 30 days' },
] as const;

/** Conditions joined by "or" or "not" have no place in a saved view. */
export const canBeSaved = ({ tree }: RecordsView): boolean => tree === undefined;

/** How the list stands now, for any log stream of the project. A rolling range of hours takes the place of filters by time. */
export function toViewState(view: RecordsView, lastHours?: number): ViewState {
  const { level, sort, columns, words } = view;
  const filters = toAllFilters(view);
  return {
    record_type: level,
    run_ids: [],
    filters: lastHours === undefined ? [...filters] : filters.filter(({ column_id }) => column_id !== TIME),
    sort,
    columns: columns ? [...columns] : null,
    search_text: level === 'session' ? '' : words,
    time_range: lastHours === undefined ? null : { last_hours: lastHours, from: null, until: null },
  };
}

/** The run of another than the one at hand that a view was saved for; undefined where it opens here. */
export const findOtherRun = ({ run_id }: Pick<Place, 'run_id'>, { state }: Pick<SavedView, 'state'>): string | undefined =>
  state.run_ids.includes(run_id) ? undefined : state.run_ids[0];

/** Where the view is opened: in the log stream or experiment at hand, unless the view was saved for another, which `other` is then. */
export function toViewPath(
  place: Place,
  { state }: Pick<SavedView, 'state'>,
  now: Date,
  other: Omit<Place, 'level'> = place,
): string {
  const { record_type, sort, columns, search_text, time_range } = state;
  const { filters, showsImplicit } = parseAllFilters(record_type, state.filters);
  return changedPath(toListPath(other), {
    level: record_type === 'trace' ? undefined : record_type,
    ...filterChanges([...filters, ...toTimeFilters(time_range, now)]),
    ...implicitChanges(showsImplicit),
    ...(sort && sortChanges(sort)),
    ...columnChanges(columns ?? undefined),
    ...FIRST_PAGE,
    words: search_text,
  });
}

function toTimeFilters(range: ViewState['time_range'], now: Date): RecordFilter[] {
  if (!range) return [];
  const { last_hours, from, until } = range;
  const start = last_hours === null ? from : new Date(now.getTime() - last_hours * HOUR_MS).toISOString();
  const bound = (operator: 'gte' | 'lt', value: string | null): RecordFilter[] =>
    value === null ? [] : [{ type: 'date', column_id: TIME, operator, value }];
  return [...bound('gte', start), ...bound('lt', until)];
}
