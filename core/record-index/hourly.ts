import { combined, computeSketch, type Sketch } from './sketch.ts';

/** Value of one metric of one record. */
export interface RecordMetric {
  readonly record_id: string;
  /** A metric that came with the record (`duration_ns`), the name of a scorer's metric, or one of `COUNTED`. */
  readonly name: string;
  /** Type of the record: `trace`, `llm` and so on. */
  readonly type: string;
  readonly value: number;
  readonly created_at: string;
}

/** Aggregate of the values of one name, on records of one type, that began in one hour. */
export interface HourlyMetrics {
  readonly name: string;
  readonly type: string;
  /** Beginning of the hour, in UTC. */
  readonly hour: string;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly sketch: Sketch;
}

/** The hour that a timestamp in UTC lies in. */
export const computeHour = (created_at: string): string => `${created_at.slice(0, 13)}:00:00.000Z`;

/** Aggregates metrics by name, type and hour. */
export function groupByHour(metrics: readonly RecordMetric[]): HourlyMetrics[] {
  const groups = Map.groupBy(metrics, ({ name, type, created_at }) => JSON.stringify([name, type, computeHour(created_at)]));
  return [...groups.values()].map((group) => {
    const { name, type, created_at } = group[0]!;
    const values = group.map(({ value }) => value);
    const sum = values.reduce((total, value) => total + value, 0);
    const [min, max] = [least(values), -least(values.map((value) => -value))];
    return { name, type, hour: computeHour(created_at), count: values.length, sum, min, max, sketch: computeSketch(values) };
  });
}

/** Not `Math.min(...values)`: an hour may hold more values than a call takes arguments. */
const least = (values: readonly number[]): number => values.reduce((a, b) => (b < a ? b : a), Number.POSITIVE_INFINITY);

/** Two sets of values of the same name, type and hour taken together. */
export const joined = (a: HourlyMetrics, b: HourlyMetrics): HourlyMetrics => ({
  ...a,
  count: a.count + b.count,
  sum: a.sum + b.sum,
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
  sketch: combined(a.sketch, b.sketch),
});

/** Subtracts values; undefined when none are left. Least and greatest are only bounds then, unless the taken ones lay strictly between. */
export function without(a: HourlyMetrics, b: HourlyMetrics): HourlyMetrics | undefined {
  const count = a.count - b.count;
  if (count <= 0) return undefined;
  return { ...a, count, sum: a.sum - b.sum, sketch: combined(a.sketch, b.sketch, -1) };
}

/** Whether taking `b` away from `a` leaves its least and greatest value certain. */
export const keepsExtremes = (a: HourlyMetrics, b: HourlyMetrics): boolean => b.min > a.min && b.max < a.max;
