import { z } from 'zod';
import { AppError, type Issue } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { Timestamp } from '../kernel/timestamp.ts';
import { findColumn } from '../traces/columns/column.ts';
import { RecordCount } from '../traces/record-query.ts';
import type { BucketNumbers } from './run-metrics.ts';

/** Numbers of traces over time. `interval` is in minutes; the first bucket begins with `start_time`. */
export const MetricsSearch = RecordCount.extend({
  start_time: Timestamp,
  end_time: Timestamp,
  interval: withDefault(z.int().min(1).max(525_600), 5),
  group_by: z.string().max(1100).nullish(),
}).meta({ id: 'MetricsSearch' });
export type MetricsSearch = z.output<typeof MetricsSearch>;

/** Beside these two, numbers by name. */
export interface MetricBucket {
  readonly start_bucket_time: string;
  readonly end_bucket_time: string;
  readonly [number: string]: number | string;
}

/** Name of the group of all traces, and of those that have no value to be grouped by. */
export const OVERALL = 'overall';
export const NO_VALUE = 'none';

const MAX_BUCKETS = 10_000;
/** Of all groups together. */
export const MAX_ROWS = 100_000;
const MINUTE_MS = 60_000;

/** How many buckets the time has; the last one may be shorter. Throws AppError `invalid` when there are too many or none. */
export function countIntervals({ start_time, end_time, interval }: MetricsSearch): number {
  const count = Math.ceil((Date.parse(end_time) - Date.parse(start_time)) / (interval * MINUTE_MS));
  if (count < 1) throw mismatch('time_range_empty', 'end_time', 'end_time has to be later than start_time');
  if (count > MAX_BUCKETS) throw tooMany(`${count} buckets are more than ${MAX_BUCKETS}: choose a larger interval`);
  return count;
}

/** Throws AppError `invalid` unless values of the column can name groups. */
export function getGroupColumn({ group_by }: MetricsSearch): string | undefined {
  if (!group_by) return undefined;
  const column = findColumn(group_by);
  if (column?.sortable && column.applies_to.includes('trace') && column.data_type !== 'timestamp') return group_by;
  throw mismatch('group_by_invalid', 'group_by', 'no column to group by', group_by);
}

/** Every bucket of every group, also those without traces. */
export function bucketed(
  request: MetricsSearch,
  count: number,
  found: readonly BucketNumbers[],
): Record<string, readonly MetricBucket[]> {
  const isGrouped = request.group_by !== null && request.group_by !== undefined && request.group_by !== '';
  const groups = Map.groupBy(found, ({ group }) => (isGrouped ? (group ?? NO_VALUE) : OVERALL));
  if (!isGrouped && groups.size === 0) groups.set(OVERALL, []);
  if (groups.size * count > MAX_ROWS) throw tooMany(`${groups.size} groups of ${count} buckets are more than ${MAX_ROWS}`);
  return Object.fromEntries([...groups].map(([group, rows]) => [group, filled(request, count, rows)]));
}

export const tooMany = (msg: string): AppError => mismatch('too_many_buckets', 'interval', msg);

function filled(
  { start_time, end_time, interval }: MetricsSearch,
  count: number,
  rows: readonly BucketNumbers[],
): MetricBucket[] {
  const byBucket = new Map(rows.map(({ bucket, numbers }) => [bucket, numbers]));
  const start = Date.parse(start_time);
  const at = (index: number): string => new Date(start + index * interval * MINUTE_MS).toISOString();
  return Array.from({ length: count }, (_, index) => ({
    start_bucket_time: index === 0 ? start_time : at(index),
    end_bucket_time: index === count - 1 ? end_time : at(index + 1),
    ...(byBucket.get(index) ?? { requests: 0, errors: 0 }),
  }));
}

function mismatch(code: string, field: string, msg: string, input?: unknown): AppError {
  const issue: Issue = { loc: ['body', field], msg, type: code, ...(input === undefined ? {} : { input }) };
  return new AppError('invalid', code, msg, { issues: [issue] });
}
