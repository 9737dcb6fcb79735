import type { ViewChanges } from '../kit/location.ts';

const HOUR = 60;
const DAY = 24 * HOUR;

/** Times up to now; minutes. */
export const RANGES = [
  { id: '1h', label: 'Last hour', minutes: HOUR },
  { id: '6h', label: 'Last 6 hours', minutes: 6 * HOUR },
  { id: '24h', label: 'Last 24 hours', minutes: DAY },
  { id: '7d', label: 'Last 7 days', minutes: 7 * DAY },
  { id: '30d', label: 'Last 30 days', minutes: 30 * DAY },
  { id: '90d', label: 'Last 90 days', minutes: 90 * DAY },
  { id: '1y', label: 'Last year', minutes: 365 * DAY },
] as const;
const USUAL = '7d';

/** Widths of buckets; minutes. */
export const INTERVALS = [
  { minutes: 1, label: '1 minute' },
  { minutes: 5, label: '5 minutes' },
  { minutes: 15, label: '15 minutes' },
  { minutes: HOUR, label: '1 hour' },
  { minutes: 3 * HOUR, label: '3 hours' },
  { minutes: 6 * HOUR, label: '6 hours' },
  { minutes: DAY, label: '1 day' },
  { minutes: 7 * DAY, label: '1 week' },
] as const;

/** More are drawn so small that they cannot be told apart. */
const MOST_BUCKETS = 90;
/** The API refuses more. */
const MAX_BUCKETS = 2_000;

/** The time that is looked at: up to now, or between two moments. */
export type TimeView = { readonly range: string; readonly interval: number | undefined } & (
  | { readonly from: string; readonly to: string }
  | { readonly from?: undefined; readonly to?: undefined }
);

export interface QueryTime {
  readonly start_time: string;
  readonly end_time: string;
  /** Minutes. */
  readonly interval: number;
}

/** Reads the time range from the address bar; invalid words are left out. */
export function readTime(params: URLSearchParams): TimeView {
  const [from, to] = [parseTimestamp(params.get('from')), parseTimestamp(params.get('to'))];
  const interval = INTERVALS.find(({ minutes }) => String(minutes) === params.get('interval'))?.minutes;
  if (from && to && from < to) return { range: 'custom', from, to, interval };
  return { range: RANGES.find(({ id }) => id === params.get('range'))?.id ?? USUAL, interval };
}

export const isRolling = ({ from }: TimeView): boolean => from === undefined;

export const rangeChanges = (range: string): ViewChanges => ({
  range: range === USUAL ? undefined : range,
  from: undefined,
  to: undefined,
  interval: undefined,
});

export const betweenChanges = (from: Date, to: Date): ViewChanges => ({
  range: undefined,
  from: from.toISOString(),
  to: to.toISOString(),
  interval: undefined,
});

/** The time in the words of the API; without a chosen interval the finest that can be looked at. */
export function queryTime(view: TimeView, now: Date): QueryTime {
  const ms = computeMinutes(view) * 60_000;
  const times = view.from
    ? { start_time: view.from, end_time: view.to }
    : { start_time: new Date(now.getTime() - ms).toISOString(), end_time: now.toISOString() };
  return { ...times, interval: view.interval ?? usualInterval(computeMinutes(view)) };
}

export const usualInterval = (minutes: number): number =>
  INTERVALS.find((one) => minutes / one.minutes <= MOST_BUCKETS)?.minutes ?? INTERVALS.at(-1)!.minutes;

/** Those that the API takes for this time. */
export const fittingIntervals = (view: TimeView) =>
  INTERVALS.filter(({ minutes }) => computeMinutes(view) / minutes < MAX_BUCKETS - 1 && minutes <= computeMinutes(view));

function computeMinutes({ range, from, to }: TimeView): number {
  if (from !== undefined) return (Date.parse(to) - Date.parse(from)) / 60_000;
  return RANGES.find(({ id }) => id === range)!.minutes;
}

function parseTimestamp(text: string | null): string | undefined {
  const at = text ? new Date(text) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}
