import { NO_NUMBERS, toFigure } from './aggregate.ts';
import type { SeriesPlan } from './series-plan.ts';
import type { NumbersOfBucket } from './series-store.ts';
import { bucketStarts, type SeriesData, type Span } from './widget-query.ts';

/** A bucket of a reply: where it begins in the store, and the part of it that lies within the time. */
export interface Bounds {
  readonly bucket: number;
  readonly start_time: string;
  readonly end_time: string;
}

export function computeBounds({ from, to, minutes }: Span): Bounds[] {
  const starts = bucketStarts({ from: Date.parse(from), to: Date.parse(to) }, minutes);
  const times = [from, ...starts.slice(1).map((start) => new Date(start).toISOString()), to];
  return starts.map((bucket, index) => ({ bucket, start_time: times[index]!, end_time: times[index + 1]! }));
}

/** The series of a plan, one for each group, the one with the most numbers first. Without groups there is always one. */
export function toSeries(
  plan: SeriesPlan,
  rows: readonly NumbersOfBucket[],
  is_exact: boolean,
  bounds: readonly Bounds[],
): SeriesData[] {
  const groups = Map.groupBy(rows, ({ group }) => group);
  if (plan.records.group_by === undefined && groups.size === 0) groups.set(null, []);
  const { index, label, metric, aggregation } = plan;
  const series = [...groups].map(([group, own]): SeriesData => {
    const total = own.find(({ bucket }) => bucket === null) ?? NO_NUMBERS;
    const whole = { value: toFigure(plan.computed, total), count: total.count };
    return { index, label, metric, aggregation, group, ...whole, is_exact, points: computePoints(plan, own, bounds) };
  });
  return series.sort((a, b) => b.count - a.count || ((a.group ?? '') < (b.group ?? '') ? -1 : 1));
}

function computePoints(plan: SeriesPlan, rows: readonly NumbersOfBucket[], bounds: readonly Bounds[]): SeriesData['points'] {
  const byBucket = new Map(rows.map((row) => [row.bucket, row]));
  return bounds.map(({ bucket, start_time, end_time }) => {
    const numbers = byBucket.get(bucket) ?? NO_NUMBERS;
    return { start_time, end_time, value: toFigure(plan.computed, numbers), count: numbers.count };
  });
}
