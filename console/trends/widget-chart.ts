import type { WidgetData } from '../../core/trends/widget-query.ts';
import type { ChartProps } from '../kit/chart-model.ts';
import { seriesName, seriesText } from './figures.ts';

export type WidgetChart = Pick<ChartProps, 'x' | 'series' | 'valueText'> & { readonly isStacked: boolean };

const ADDITIVE = new Set(['Count', 'Sum']);

/** The buckets of a widget as a chart: at the beginning of each, in seconds. Parts that add up to something stand on each other. */
export function toChart(data: WidgetData): WidgetChart {
  const [first] = data.series;
  const kind = data.type === 'bar_chart' ? 'bars' : 'line';
  return {
    x: (first?.points ?? []).map(({ start_time }) => Date.parse(start_time) / 1000),
    series: data.series.map((one) => ({ label: seriesName(data, one), kind, values: one.points.map(({ value }) => value) })),
    valueText: first ? seriesText(first) : String,
    isStacked: data.series.every(({ aggregation }) => ADDITIVE.has(aggregation)),
  };
}
