import type { ChangePoint, TrendChange, TrendChanges } from '../../core/trends/changes/trend-change.ts';
import { post } from '../api/client.ts';
import { type ChartMark, findBucket } from '../kit/chart-model.ts';
import { zonedTimestampText } from '../kit/formatting.ts';
import { figureText, metricName } from './figures.ts';
import type { QueryTime } from './time-range.ts';

/** A widget, or a part of it, as a chart draws it. */
export interface Drawn {
  /** Beginnings of the buckets, in seconds since 1970. */
  readonly x: readonly number[];
  /** Names of the metrics. */
  readonly metrics: readonly string[];
}

export const loadTrendChanges = (
  path: string,
  query: QueryTime & { readonly widget_ids?: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<TrendChanges> => post<TrendChanges>(`${path}/changes/query`, query, { signal });

/** Marks of a chart: the known changes that can have an effect on what it shows, and the change points of its series. Oldest first. */
export function toMarks({ x, metrics }: Drawn, { changes }: TrendChanges, points: readonly ChangePoint[]): ChartMark[] {
  const names = new Set(metrics.map(metricName));
  const known = changes.filter(({ metric_name }) => metric_name === null || names.has(metric_name));
  const all = [
    ...known.map((change) => ({ at: change.at, text: change.text, path: getPath(change), isFound: false })),
    ...points.map((point) => ({ at: point.at, text: pointText(point, changes), isFound: true })),
  ];
  return all
    .flatMap((mark) => {
      const place = findBucket(x, Date.parse(mark.at) / 1000);
      return place === undefined ? [] : [{ ...mark, x: place }];
    })
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function getPath({ scorer_id, template_id }: TrendChange): string | undefined {
  if (scorer_id !== null) return `/scorers/${scorer_id}`;
  return template_id === null ? undefined : `/prompts/${template_id}`;
}

/** A change point in a sentence: both levels, how sure the difference is, and what happened near it. */
export function pointText(point: ChangePoint, changes: readonly TrendChange[]): string {
  const { label, group, metric, aggregation, before, after, difference } = point;
  const text = figureText(metric, aggregation);
  const near = point.changes.map((place) => `${changes[place]!.text} (${zonedTimestampText(changes[place]!.at)})`);
  return [
    `${group === null ? label : `${label} · ${group}`}: from ${text(before.mean)} to ${text(after.mean)}`,
    ` (difference ${text(difference.low)} to ${text(difference.high)} with a confidence of 95 %). `,
    near.length > 0 ? `Near it: ${near.join('; ')}.` : 'No known change near it.',
  ].join('');
}
