import type { Aggregation, Widget } from '../../core/trends/widget.ts';
import type { SeriesData, WidgetData } from '../../core/trends/widget-query.ts';
import { isDuration } from '../kit/duration.ts';
import { costText, durationText, numberText } from '../kit/formatting.ts';

/** Without the place that a column's id names: `metrics/cost` is `cost`. */
export const metricName = (metric: string): string => (/^metrics\/./.test(metric) ? metric.slice('metrics/'.length) : metric);

/** Metric and aggregation of a number. */
export type Figure = Pick<Widget, 'metric' | 'aggregation'>;

/** How figures of a metric are written: counts and shares as such, others in the unit that the name tells. */
export function figureText(metric: string, aggregation: Aggregation): (value: number | null) => string {
  if (aggregation === 'Count') return numberText;
  if (aggregation.startsWith('Percentage')) return (value) => (value === null ? numberText(null) : `${numberText(value)} %`);
  const name = metricName(metric);
  if (isDuration(name)) return durationText;
  return name === 'cost' ? costText : numberText;
}

/** Whether figures of a metric are durations, in nanoseconds. */
export const isDurationFigure = ({ metric, aggregation }: Figure): boolean => figureText(metric, aggregation) === durationText;

export const seriesText = ({ metric, aggregation }: SeriesData): ((value: number | null) => string) =>
  figureText(metric, aggregation);

export const hasNumbers = ({ series }: WidgetData): boolean => series.some(({ count }) => count > 0);
export const isApproximate = ({ series }: WidgetData): boolean => series.some(({ is_exact }) => !is_exact);

/** Name of a series: its group, and its label where there are several. */
export function seriesName(data: WidgetData, { index, label, group, is_exact }: SeriesData): string {
  const own = data.series.filter((one) => one.index === index);
  const isGrouped = own.length > 1 || group !== null;
  const isOnly = own.length === data.series.length;
  const name = isGrouped ? (isOnly ? (group ?? 'none') : `${label} · ${group ?? 'none'}`) : label;
  return is_exact ? name : `≈ ${name}`;
}
