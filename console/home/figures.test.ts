import { describe, expect, it } from 'vitest';
import type { SeriesData, WidgetData } from '../../core/trends/widget-query.ts';
import { toProjectFigures } from './figures.ts';

const HOUR_S = 3600;
const at = (hour: number): string => new Date(hour * HOUR_S * 1000).toISOString();

/** A widget of one series, of which only what is looked at is said. */
function widget(
  metric: string,
  aggregation: SeriesData['aggregation'],
  value: number,
  values: readonly (number | null)[],
): WidgetData {
  const points = values.map((one, hour) => ({ start_time: at(hour), end_time: at(hour + 1), value: one, count: 1 }));
  const series = { index: 0, label: metric, metric, aggregation, group: null, value, count: 1, is_exact: true, points };
  return {
    widget_id: metric,
    name: metric,
    type: 'line_chart',
    start_time: at(0),
    end_time: at(2),
    series: [series],
    groups_left_out: 0,
    problems: [],
  };
}

const chat = [
  widget('records', 'Count', 8, [6, 2]),
  widget('errors', 'Sum', 2, [2, 0]),
  widget('duration_ns', 'P95', 5e9, [5e9, 1e9]),
  widget('cost', 'Sum', 0.5, [0.5, 0]),
  widget('grounded', 'Average', 0.8, [0.9, 0.7]),
  widget('polite', 'PercentageTrue', 50, [100, null]),
  widget('words', 'Average', 120, [100, 140]),
];
const search = [
  widget('records', 'Count', 12, [0, 12]),
  widget('errors', 'Sum', 3, [0, 3]),
  widget('duration_ns', 'P95', 9e9, [null, 9e9]),
];

describe('the figures of a project', () => {
  it('are those of its log streams: added up, or the highest where they cannot be', () => {
    const figures = toProjectFigures([
      { name: 'chat', widgets: chat },
      { name: 'search', widgets: search },
    ]);
    expect(figures.x).toEqual([0, HOUR_S]);
    expect(figures.traces.total).toBe(20);
    expect(figures.error_rate).toEqual({ total: 0.25, series: [{ label: 'Error rate', kind: 'line', values: [2 / 6, 3 / 14] }] });
    expect(figures.latency.total).toBe(9e9);
    expect(figures.cost).toEqual({ total: 0.5, series: [{ label: 'chat', kind: 'bars', values: [0.5, 0] }] });
    expect(figures.quality.series).toEqual([
      { label: 'grounded · chat', kind: 'line', values: [0.9, 0.7] },
      { label: 'polite · chat', kind: 'line', values: [1, null] },
    ]);
  });

  it('are none where dashboards have no such widget', () => {
    const figures = toProjectFigures([{ name: 'chat', widgets: [] }]);
    expect([figures.traces.total, figures.error_rate.total, figures.latency.total, figures.cost.total]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
