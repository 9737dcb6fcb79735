import { type HourlyMetrics, joined } from '../record-index/hourly.ts';
import { COUNTED } from '../record-index/record-metrics.ts';
import { computeQuantile } from '../record-index/sketch.ts';
import { SUMMED } from '../traces/sessions/session-metrics.ts';
import type { MetricNumbers, MetricsQuery } from './run-metrics.ts';

/** Hourly metrics that it reads: those of traces with sketches, and those of model calls. */
export const OF_TRACES: readonly string[] = [COUNTED.records, COUNTED.errors, 'duration_ns'];
export const OF_CALLS: readonly string[] = SUMMED;

const HOUR_MINUTES = 60;
const HOUR_MS = HOUR_MINUTES * 60_000;

/** Whether whole hours, all of whose traces are meant, fill the buckets. */
export function isByTheHour({ selection: { where }, from, to, interval_minutes, group_by }: MetricsQuery): boolean {
  const all = 'and' in where && where.and.length === 0 && group_by === undefined;
  return all && interval_minutes % HOUR_MINUTES === 0 && [from, to].every((time) => Date.parse(time) % HOUR_MS === 0);
}

/**
 * `MetricNumbers` from hours. Model calls count in the hour that they began in, percentiles are off by the error of a sketch, and of a
 * scorer's results the newest of each record counts.
 */
export function toMetricNumbers(hours: readonly HourlyMetrics[]): MetricNumbers {
  const byName = Map.groupBy(hours, ({ name }) => name);
  const all = (name: string): HourlyMetrics | undefined => byName.get(name)?.reduce(joined);
  const duration = all('duration_ns');
  const at = (share: number): number => clamped(duration!, computeQuantile(duration!.sketch, share)!);
  const averages = [...byName.keys()].filter((name) => !OF_TRACES.includes(name) && !OF_CALLS.includes(name));
  return {
    requests: all(COUNTED.records)?.count ?? 0,
    errors: all(COUNTED.errors)?.sum ?? 0,
    ...(duration && {
      average_duration_ns: duration.sum / duration.count,
      p50_duration_ns: at(0.5),
      p95_duration_ns: at(0.95),
    }),
    ...Object.fromEntries(OF_CALLS.flatMap((name) => (byName.has(name) ? [[name, all(name)!.sum]] : []))),
    ...Object.fromEntries(averages.map((name) => [`metrics/${name}`, all(name)!.sum / all(name)!.count])),
  };
}

const clamped = ({ min, max }: HourlyMetrics, value: number): number => Math.min(max, Math.max(min, value));
