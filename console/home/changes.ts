import type { TrendChanges } from '../../core/trends/changes/trend-change.ts';
import type { ChartMark } from '../kit/chart-model.ts';
import { toMarks } from '../trends/changes.ts';

/** The changes of one log stream. */
export interface StreamChanges {
  readonly name: string;
  readonly changes: TrendChanges;
}

/** Marks that fit below a chart without a second page. */
const MOST_MARKS = 12;

/**
 * Marks of a chart of several log streams: what happened in each, and what happened in several of them once. With several streams change
 * points say of which they are. The newest where there are many.
 */
export function toProjectMarks(
  x: readonly number[],
  metrics: readonly string[],
  streams: readonly StreamChanges[],
): readonly ChartMark[] {
  const all = streams.flatMap(({ name, changes }) => {
    const points = changes.change_points
      .filter(({ metric }) => metrics.includes(metric))
      .map((point) => (streams.length > 1 ? { ...point, label: `${point.label} · ${name}` } : point));
    return toMarks({ x, metrics }, changes, points);
  });
  const once = new Map(all.map((mark) => [`${mark.at} ${mark.text}`, mark]));
  return [...once.values()].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-MOST_MARKS);
}
