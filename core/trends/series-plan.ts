import { AppError } from '../kernel/errors.ts';
import { COUNTED } from '../record-index/record-metrics.ts';
import { MODEL_CALLS } from '../traces/catalogue/span-types.ts';
import { CALL_METRICS } from '../traces/catalogue/system-metrics.ts';
import { findColumn } from '../traces/columns/column.ts';
import { checkCondition, type FilterTree, type RecordFilter } from '../traces/record-query.ts';
import { QUANTILES } from './aggregate.ts';
import { toDimension, toRecordColumn } from './metric-dimension.ts';
import { isMetricOfSeries, type MetricSlice, planMetricSlice, type SeriesProblem } from './metric-slice.ts';
import type { HourlySlice, RecordSlice } from './series-store.ts';
import { type Aggregation, RecordTypeName, type Widget, WidgetSeries } from './widget.ts';
import { isHourly } from './widget-query.ts';

/** How one series of a widget is answered. */
export interface SeriesPlan {
  readonly index: number;
  readonly label: string;
  readonly metric: string;
  readonly aggregation: Aggregation;
  /** Aggregation to compute: errors are counted by adding them up. */
  readonly computed: Aggregation;
  /** Undefined where the roll-up does not hold what is asked for. */
  readonly hours: HourlySlice | undefined;
  readonly records: RecordSlice;
  /** Undefined for a metric of records; else the other two are not asked. */
  readonly metric_series: MetricSlice | SeriesProblem | undefined;
}

export interface PlanSettings {
  /** For all series. */
  readonly filters: readonly RecordFilter[];
  /** Width of the buckets. */
  readonly minutes: number;
  readonly max_groups: number;
}

/**
 * Default types of records for each metric: a request as a whole is read from traces, the use of models from model
 * calls, which steps above them repeat.
 */
const USUAL_TYPES: Readonly<Record<string, readonly string[]>> = {
  [COUNTED.records]: ['trace'],
  [COUNTED.errors]: ['trace'],
  duration_ns: ['trace'],
  ...Object.fromEntries(['cost', ...CALL_METRICS].map((name) => [name, MODEL_CALLS])),
};

/** The series of a widget: those in its `dataset`, or the widget itself. */
export function planSeries(
  widget: Pick<Widget, 'name' | 'metric' | 'aggregation' | 'dataset'>,
  settings: PlanSettings,
): SeriesPlan[] {
  const dataset = widget.dataset.length > 0 ? widget.dataset : [{}];
  return dataset.map((given, index) => computePlan(widget, WidgetSeries.parse(given), index, settings));
}

function computePlan(
  widget: Pick<Widget, 'name' | 'metric' | 'aggregation'>,
  series: WidgetSeries,
  index: number,
  { filters, minutes, max_groups }: PlanSettings,
): SeriesPlan {
  const metric = series.metric ?? widget.metric;
  const aggregation = series.aggregation ?? widget.aggregation;
  const name = getName(metric);
  const computed = name === COUNTED.errors && aggregation === 'Count' ? 'Sum' : aggregation;
  const trees = [...ownTrees(series), ...filters.map((filter) => ({ filter }))];
  const { types, rest } = getTypes(name, series.record_types ?? undefined, trees);
  const group_by = series.group_by ? toRecordColumn(series.group_by) : undefined;
  const asked = { metric, aggregation, trees, group_by, max_groups };
  const metric_series = isMetricOfSeries(metric) ? planMetricSlice(asked) : undefined;
  const isOfRollUp = !metric_series && rest.length === 0 && (group_by === undefined || group_by === 'type') && isHourly(minutes);
  const where = { and: rest };
  const quantile = QUANTILES[computed];
  return {
    index,
    label: series.label ?? (series.metric ? metric : widget.name),
    metric,
    aggregation,
    computed,
    hours: isOfRollUp ? { name, types, detail: toDetail(computed), by_type: group_by === 'type' } : undefined,
    records: { name, types, where, group_by, max_groups, quantile },
    metric_series,
  };
}

const getName = (metric: string): string => (/^metrics\/./.test(metric) ? metric.slice('metrics/'.length) : metric);

function toDetail(aggregation: Aggregation): HourlySlice['detail'] {
  if (QUANTILES[aggregation] !== undefined) return 'sketch';
  return aggregation.startsWith('Percentage') ? 'zeros' : 'sums';
}

/** All of them have to hold. */
const ownTrees = ({ filters, filter_tree }: WidgetSeries): readonly FilterTree[] => [...(filters ?? []), ...(filter_tree ?? [])];

/** Conditions on the type of records are met by the roll-up; the rest needs the records. */
function getTypes(name: string, given: readonly string[] | undefined, trees: readonly FilterTree[]) {
  const onType = trees.flatMap((tree) => typeFilterIn(tree) ?? []);
  const usual = onType.length > 0 ? undefined : USUAL_TYPES[name];
  const types = given ?? usual;
  if (onType.length === 0) return { types, rest: trees };
  const fitting = RecordTypeName.options.filter((type) => (types?.includes(type) ?? true) && onType.every(allows(type)));
  return { types: fitting, rest: trees.filter((tree) => !typeFilterIn(tree)) };
}

type TypeFilter = RecordFilter & { type: 'text' };

function typeFilterIn(tree: FilterTree): TypeFilter | undefined {
  if (!('filter' in tree)) return undefined;
  const { filter } = tree;
  const isOnType =
    filter.type === 'text' && filter.column_id === 'type' && filter.operator !== 'contains' && filter.case_sensitive;
  return isOnType ? filter : undefined;
}

const allows =
  (type: string) =>
  ({ operator, value }: TypeFilter): boolean =>
    [value].flat().includes(type) === (operator === 'eq' || operator === 'one_of');

/** Throws AppError `invalid` with the place of every filter and every column to group by that is none. */
export function checkSeries(dataset: readonly unknown[], at: readonly (string | number)[]): void {
  for (const [index, given] of dataset.entries()) {
    const series = WidgetSeries.parse(given);
    for (const field of ['filters', 'filter_tree'] as const)
      for (const [place, tree] of (series[field] ?? []).entries()) checkCondition(tree, [...at, index, field, place]);
    const { group_by } = series;
    checkGroupColumn(group_by ?? undefined, [...at, index, 'group_by']);
  }
}

/** Any column whose values are texts, numbers or yes and no can name groups; tags name several. */
function checkGroupColumn(group_by: string | undefined, loc: (string | number)[]): void {
  if (group_by === undefined || group_by === 'tags' || toDimension(group_by) !== undefined) return;
  const column = findColumn(group_by);
  if (column?.sortable && column.data_type !== 'timestamp') return;
  const msg = 'no column to group by';
  throw new AppError('invalid', 'group_by_invalid', msg, { issues: [{ loc, msg, type: 'group_by_invalid', input: group_by }] });
}
