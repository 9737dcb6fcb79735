import type { RecordFilter } from '../../core/traces/record-query.ts';
import type { Aggregation, GivenSeries, Widget, WidgetSeries } from '../../core/trends/widget.ts';
import { getWidgetSize, type Size, usualSize } from './arrangement.ts';
import { listFilters } from './typed-filter.ts';

export const AGGREGATIONS: readonly Aggregation[] = [
  'Count',
  'Sum',
  'Average',
  'Min',
  'Max',
  'P50',
  'P90',
  'P95',
  'P99',
  'PercentageTrue',
  'PercentageFalse',
];
export const TYPES: readonly { readonly id: Widget['type']; readonly label: string }[] = [
  { id: 'line_chart', label: 'Lines' },
  { id: 'bar_chart', label: 'Bars' },
  { id: 'number', label: 'Number' },
  { id: 'table', label: 'Table' },
];
export type RecordTypeName = NonNullable<WidgetSeries['record_types']>[number];

/** A widget as it is typed in. Empty texts of a series stand for what the widget itself says. */
export interface WidgetDraft {
  readonly name: string;
  readonly description: string;
  readonly type: Widget['type'];
  readonly metric: string;
  readonly aggregation: Aggregation;
  readonly size: Size;
  readonly series: readonly SeriesDraft[];
}
export interface SeriesDraft {
  readonly label: string;
  readonly metric: string;
  readonly aggregation: Aggregation | '';
  readonly group_by: string;
  readonly record_types: readonly RecordTypeName[];
  readonly filters: readonly RecordFilter[];
  /** Fields that others keep in a series. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export const BLANK_SERIES: SeriesDraft = {
  label: '',
  metric: '',
  aggregation: '',
  group_by: '',
  record_types: [],
  filters: [],
  rest: {},
};

export function toWidgetDraft(widget: Widget | undefined): WidgetDraft {
  if (!widget)
    return {
      name: '',
      description: '',
      type: 'line_chart',
      metric: '',
      aggregation: 'Average',
      size: 'half',
      series: [BLANK_SERIES],
    };
  const { name, description, type, metric, aggregation } = widget;
  const dataset = widget.dataset.length > 0 ? widget.dataset : [{}];
  return { name, description, type, metric, aggregation, size: getWidgetSize(widget), series: dataset.map(seriesDraft) };
}

function seriesDraft(given: Readonly<Record<string, unknown>>): SeriesDraft {
  const { label, metric, aggregation, group_by, record_types, filters, size: _size, ...rest } = given as GivenSeries;
  return {
    label: label ?? '',
    metric: metric ?? '',
    aggregation: aggregation ?? '',
    group_by: group_by ?? '',
    record_types: record_types ?? [],
    filters: listFilters(filters),
    rest,
  };
}

/** The draft in the words of the API. */
export function toWidget({ series, size, ...draft }: WidgetDraft): Omit<Widget, 'id' | 'section_id'> {
  const dataset = series.map((one, index) => ({
    ...given(one),
    ...(index === 0 && size !== usualSize(draft.type) ? { size } : {}),
  }));
  const saysNothing = dataset.length === 1 && Object.keys(dataset[0]!).length === 0;
  return { ...draft, dataset: saysNothing ? [] : dataset };
}

function given({ rest, ...series }: SeriesDraft): Record<string, unknown> {
  return { ...rest, ...Object.fromEntries(Object.entries(series).filter(([, value]) => value.length > 0)) };
}
