import type { RecordFilter } from '../../core/traces/record-query.ts';

export const TIME = 'created_at';
export const STATUS = 'status_code';
export const DURATION = 'metrics/duration_ns';

const FIRST_ERROR = 400;
const HOUR_MS = 3_600_000;
const SECOND_NS = 1_000_000_000;

export const TIMES = [
  { id: '', label: 'All time' },
  { id: '1h', label: 'Last hour' },
  { id: '24h', label: 'Last 24 hours' },
  { id: 'today', label: 'Today' },
  { id: 'yesterday', label: 'Yesterday' },
  { id: '7d', label: 'Last 7 days' },
  { id: '30d', label: 'Last 30 days' },
] as const;
export type TimeId = (typeof TIMES)[number]['id'];

export const COMMENTS = 'num_comments';

/** Known to searches, which look at the bookmarks of whoever asks; no column of records. */
export const BOOKMARKED = 'is_bookmarked';

export const TURNS = 'num_traces';

/** Lower bounds of the number of traces of a session. */
export const TURN_COUNTS = [2, 5, 10, 20] as const;

/** Lower bounds of the duration, in seconds. */
export const DURATIONS = [1, 3, 10, 30] as const;

type Filters = readonly RecordFilter[];
const without = (filters: Filters, column_id: string): RecordFilter[] => filters.filter((one) => one.column_id !== column_id);
export const isOn = (filters: Filters, column_id: string): boolean => filters.some((one) => one.column_id === column_id);

/** The filters with another time range in place of any that they had: from one moment on, or a day of the reader's time zone. */
export function withTime(filters: Filters, id: TimeId, now: Date): RecordFilter[] {
  const { from, to } = toRange(id, now);
  const bound = (operator: 'gte' | 'lt', at: Date | undefined): RecordFilter[] =>
    at ? [{ type: 'date', column_id: TIME, operator, value: at.toISOString() } as RecordFilter] : [];
  return [...without(filters, TIME), ...bound('gte', from), ...bound('lt', to)];
}

const HOURS: Partial<Record<TimeId, number>> = { '1h': 1, '24h': 24, '7d': 7 * 24, '30d': 30 * 24 };

function toRange(id: TimeId, now: Date): { from?: Date; to?: Date } {
  const hours = HOURS[id];
  if (hours !== undefined) return { from: new Date(now.getTime() - hours * HOUR_MS) };
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (id === 'today') return { from: midnight };
  const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return id === 'yesterday' ? { from: before, to: midnight } : {};
}

/** Errors alone, or no longer. */
export const withErrors = (filters: Filters, isWanted: boolean): RecordFilter[] => [
  ...without(filters, STATUS),
  ...(isWanted ? [{ type: 'number', column_id: STATUS, operator: 'gte', value: FIRST_ERROR } as RecordFilter] : []),
];

/** Records with comments alone, or no longer. */
export const withComments = (filters: Filters, isWanted: boolean): RecordFilter[] =>
  withLowerBound(filters, COMMENTS, isWanted ? 1 : undefined);

/** Records with a bookmark of the reader alone, or no longer. */
export const withBookmarked = (filters: Filters, isWanted: boolean): RecordFilter[] => [
  ...without(filters, BOOKMARKED),
  ...(isWanted ? [{ type: 'boolean', column_id: BOOKMARKED, operator: 'eq', value: true } as RecordFilter] : []),
];

/** Records that took at least so many seconds; none for any duration. */
export const withDuration = (filters: Filters, seconds: number | undefined): RecordFilter[] =>
  withLowerBound(filters, DURATION, seconds && seconds * SECOND_NS);

/** Sessions of at least so many traces; none for any number. */
export const withTurns = (filters: Filters, turns: number | undefined): RecordFilter[] => withLowerBound(filters, TURNS, turns);

const withLowerBound = (filters: Filters, column_id: string, value: number | undefined): RecordFilter[] => [
  ...without(filters, column_id),
  ...(value ? [{ type: 'number', column_id, operator: 'gte', value } as RecordFilter] : []),
];

/** The lower bound of the duration in seconds, where the filters have one of those that can be chosen. */
export function durationIn(filters: Filters): number | undefined {
  const nanoseconds = lowerBoundIn(filters, DURATION);
  return nanoseconds === undefined ? undefined : nanoseconds / SECOND_NS;
}

/** As `durationIn`, of the number of traces. */
export const turnsIn = (filters: Filters): number | undefined => lowerBoundIn(filters, TURNS);

function lowerBoundIn(filters: Filters, id: string): number | undefined {
  const own = filters.filter(({ column_id }) => column_id === id);
  return own.length === 1 && own[0]!.operator === 'gte' ? Number(own[0]!.value) : undefined;
}

/** One value of a column, as its type is compared. */
export function withValue(filters: Filters, column: { id: string; filter_type: string | null }, value: string): RecordFilter[] {
  const { id: column_id, filter_type } = column;
  const filter =
    filter_type === 'collection'
      ? { type: 'collection', column_id, operator: 'contains', value, case_sensitive: true }
      : filter_type === 'boolean'
        ? { type: 'boolean', column_id, operator: 'eq', value: value === 'true' }
        : filter_type === 'number'
          ? { type: 'number', column_id, operator: 'eq', value: Number(value) }
          : { type: 'text', column_id, operator: 'eq', value, case_sensitive: true };
  return [...filters, filter as RecordFilter];
}
