import { type Dimension, isGenAiMetric } from '../otel/metrics/kept-metrics.ts';
import type { DimensionCondition } from '../otel/metrics/metric-series-store.ts';
import type { FilterTree } from '../traces/record-query.ts';
import { QUANTILES } from './aggregate.ts';
import { toDimension } from './metric-dimension.ts';
import type { Aggregation } from './widget.ts';

/** Query of the series of a metric that OpenTelemetry sent. */
export interface MetricSlice {
  readonly name: string;
  readonly where: readonly DimensionCondition[];
  readonly group_by: Dimension | undefined;
  readonly max_groups: number;
  readonly with_sketches: boolean;
}

/** Why a series cannot be drawn. */
export interface SeriesProblem {
  readonly code: string;
  readonly message: string;
}

interface AskedOfMetric {
  readonly metric: string;
  readonly aggregation: Aggregation;
  readonly trees: readonly FilterTree[];
  readonly group_by: string | undefined;
  readonly max_groups: number;
}

/** Plain names of this namespace are series; a metric of records that has such a name is `metrics/<name>`. */
export const isMetricOfSeries = (metric: string): boolean => isGenAiMetric(metric);

/** Series of a metric can be told apart by their dimensions, and by nothing else that records have. */
export function planMetricSlice({
  metric,
  aggregation,
  trees,
  group_by,
  max_groups,
}: AskedOfMetric): MetricSlice | SeriesProblem {
  const dimension = group_by === undefined ? undefined : toDimension(group_by);
  if (group_by !== undefined && dimension === undefined) return problem('metric_series_group_by', `grouped by "${group_by}"`);
  const where = toConditions(trees);
  if (!where) return problem('metric_series_filter', 'filtered so');
  const with_sketches = QUANTILES[aggregation] !== undefined || aggregation.startsWith('Percentage');
  return { name: metric, where, group_by: dimension, max_groups, with_sketches };
}

const problem = (code: string, what: string): SeriesProblem => ({
  code,
  message: `metrics of OpenTelemetry cannot be ${what}: only by model, operation, provider, type of token and type of error`,
});

/** Undefined where a condition is not one on the value of a dimension. */
function toConditions(trees: readonly FilterTree[]): DimensionCondition[] | undefined {
  const all = trees.map((tree) => ('and' in tree ? toConditions(tree.and) : toCondition(tree)));
  return all.every((some) => some !== undefined) ? all.flat() : undefined;
}

function toCondition(tree: FilterTree): DimensionCondition[] | undefined {
  if ('not' in tree) return toCondition(tree.not)?.map((one) => ({ ...one, is_in: !one.is_in }));
  if (!('filter' in tree) || tree.filter.type !== 'text') return undefined;
  const { column_id, operator, value, case_sensitive } = tree.filter;
  const dimension = toDimension(column_id);
  if (!dimension || operator === 'contains' || !case_sensitive) return undefined;
  return [{ dimension, values: [value].flat(), is_in: operator === 'eq' || operator === 'one_of' }];
}
