import { z } from 'zod';
import { AppError, type Issue } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { Id } from '../kernel/text.ts';
import { Timestamp } from '../kernel/timestamp.ts';
import { RecordFilter } from '../traces/record-query.ts';
import type { Buckets } from './series-store.ts';
import { Aggregation, WidgetType } from './widget.ts';

const MINUTES = { minute: 1, hour: 60, day: 1_440 } as const;
const MINUTE_MS = 60_000;
const MAX_BUCKETS = 2_000;
/** Of one call, over all series. */
const MAX_POINTS = 500_000;

const Interval = z.union([z.enum(['minute', 'hour', 'day']), z.int().min(1).max(44_640)]);

/** `interval` by name or in minutes. Filters hold for every series, beside its own. `exact`: percentiles from the records. */
export const WidgetQuery = z
  .object({
    start_time: Timestamp,
    end_time: Timestamp,
    interval: withDefault(Interval, 'hour'),
    filters: withDefault(z.array(RecordFilter).max(50), []),
    max_groups: withDefault(z.int().min(1).max(50), 10),
    exact: withDefault(z.boolean(), false),
  })
  .meta({ id: 'WidgetQuery' });
export type WidgetQuery = z.output<typeof WidgetQuery>;

/** Of these widgets, or of all. */
export const DashboardQuery = WidgetQuery.extend({ widget_ids: z.array(Id).max(200).nullish() }).meta({ id: 'TrendsQuery' });
export type DashboardQuery = z.output<typeof DashboardQuery>;

const Point = z.object({ start_time: z.string(), end_time: z.string(), value: z.number().nullable(), count: z.int() });

export const SeriesData = z
  .object({
    /** Place of the series in `dataset`; 0 where that is empty. */
    index: z.int(),
    label: z.string(),
    metric: z.string(),
    aggregation: Aggregation,
    /** Null without `group_by`, and for records without a value to group by. */
    group: z.string().nullable(),
    /** Over the whole time. */
    value: z.number().nullable(),
    /** How many numbers that is made of. */
    count: z.int(),
    /** False: a percentile within 1 % of the exact one. */
    is_exact: z.boolean(),
    points: z.array(Point),
  })
  .meta({ id: 'WidgetSeriesData' });
export type SeriesData = z.output<typeof SeriesData>;

const Problem = z.object({ index: z.int(), code: z.string(), message: z.string() });

export const WidgetData = z
  .object({
    widget_id: z.string(),
    name: z.string(),
    type: WidgetType,
    start_time: z.string(),
    end_time: z.string(),
    series: z.array(SeriesData),
    /** Groups that are not shown because others have more numbers. */
    groups_left_out: z.int(),
    problems: z
      .array(Problem)
      .describe('Series that cannot be answered, and why; and series of a metric that no record has ever had.'),
  })
  .meta({ id: 'WidgetData' });
export type WidgetData = z.output<typeof WidgetData>;

/** The time of a query, widened to whole hours, or to whole minutes where its buckets are no hours. */
export interface Span extends Omit<Buckets, 'minutes'> {
  readonly minutes: number;
}

/** Throws AppError `invalid` when there is no time between the two timestamps, or too many buckets. */
export function toTimeSpan(
  run: { readonly project_id: string; readonly run_id: string },
  { start_time, end_time, interval }: Pick<WidgetQuery, 'start_time' | 'end_time' | 'interval'>,
): Span {
  const minutes = typeof interval === 'number' ? interval : MINUTES[interval];
  const unit = (isHourly(minutes) ? MINUTES.hour : 1) * MINUTE_MS;
  const from = Math.floor(Date.parse(start_time) / unit) * unit;
  const to = Math.ceil(Date.parse(end_time) / unit) * unit;
  if (Date.parse(start_time) >= Date.parse(end_time))
    throw mismatch('time_range_empty', 'end_time', 'end_time has to be later than start_time');
  const count = bucketStarts({ from, to }, minutes).length;
  if (count > MAX_BUCKETS)
    throw mismatch('too_many_buckets', 'interval', `${count} buckets are more than ${MAX_BUCKETS}: choose a larger interval`);
  return { ...run, from: new Date(from).toISOString(), to: new Date(to).toISOString(), minutes };
}

/** Throws AppError `invalid` when a reply would have too many points. */
export function checkSize(series: number, buckets: number): void {
  if (series * buckets <= MAX_POINTS) return;
  const msg = `${series} series of ${buckets} buckets are more than ${MAX_POINTS} points: choose a larger interval or fewer widgets`;
  throw mismatch('too_many_buckets', 'interval', msg);
}

/** Whether the hourly roll-up can serve buckets of this width. */
export const isHourly = (minutes: number): boolean => minutes % MINUTES.hour === 0;

/** When each bucket begins, in ms since 1970: the first one may begin before the time does. */
export function bucketStarts({ from, to }: { readonly from: number; readonly to: number }, minutes: number): number[] {
  const width = minutes * MINUTE_MS;
  const first = Math.floor(from / width);
  const count = Math.ceil(to / width) - first;
  return Array.from({ length: Math.min(count, MAX_BUCKETS + 1) }, (_, index) => (first + index) * width);
}

function mismatch(code: string, field: string, msg: string): AppError {
  const issue: Issue = { loc: ['body', field], msg, type: code };
  return new AppError('invalid', code, msg, { issues: [issue] });
}
