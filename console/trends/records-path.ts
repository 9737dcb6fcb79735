import { MODEL_CALLS } from '../../core/traces/catalogue/span-types.ts';
import { CALL_METRICS } from '../../core/traces/catalogue/system-metrics.ts';
import type { RecordFilter } from '../../core/traces/record-query.ts';
import type { GivenSeries, Widget } from '../../core/trends/widget.ts';
import type { SeriesData } from '../../core/trends/widget-query.ts';
import { isDuration } from '../kit/duration.ts';
import { type LogStreamPath, logStreamPath } from './address.ts';
import { metricName } from './figures.ts';
import { toRecordTree } from './record-tree.ts';
import { isPlain, listFilters, typedFilter } from './typed-filter.ts';

/** Of which records: those of a time, and of one series or of all. */
export interface RecordsOf {
  readonly start_time: string;
  readonly end_time: string;
  readonly series?: Pick<SeriesData, 'index' | 'group'> | undefined;
}

/** Metrics that the service reads from model calls unless it is told otherwise; the rest it reads from traces or everything. */
const OF_MODELS: ReadonlySet<string> = new Set(['cost', ...CALL_METRICS]);
const FAILED: RecordFilter = { type: 'number', column_id: 'status_code', operator: 'gte', value: 400 };

/** Where the records view shows those that a figure of a widget was made of. */
export function recordsPath(stream: LogStreamPath, widget: Widget, { start_time, end_time, series }: RecordsOf): string {
  const given = (widget.dataset[series?.index ?? 0] ?? {}) as GivenSeries;
  const metric = metricName(given.metric ?? widget.metric);
  const types = getTypes(given, metric, series?.group ?? null);
  const own = [...listFilters(given.filters), ...listFilters(given.filter_tree)];
  const isOfTraces = types.length === 0 || types.includes('trace');
  const filters: RecordFilter[] = [
    { type: 'date', column_id: 'created_at', operator: 'gte', value: start_time },
    { type: 'date', column_id: 'created_at', operator: 'lt', value: end_time },
    ...(isOfTraces ? [] : [typeFilter(types)]),
    ...(metric === 'errors' ? [FAILED] : []),
    ...(series ? [...own.filter(isPlain), ...groupFilter(given.group_by, series.group)] : []),
  ];
  const trees = series ? own.filter((filter) => !isPlain(filter)).flatMap((filter) => toRecordTree(filter) ?? []) : [];
  const query = new URLSearchParams({
    ...(isOfTraces ? {} : { level: 'span' }),
    filters: JSON.stringify(filters),
    ...(trees.length > 0 ? { tree: JSON.stringify(trees.length > 1 ? { and: trees } : trees[0]) } : {}),
  });
  return `${logStreamPath(stream)}?${query}`;
}

function getTypes({ record_types, group_by }: GivenSeries, metric: string, group: string | null): readonly string[] {
  if (group_by === 'type' && group !== null) return [group];
  return record_types ?? (OF_MODELS.has(metric) ? MODEL_CALLS : []);
}

const typeFilter = (types: readonly string[]): RecordFilter => ({
  type: 'text',
  column_id: 'type',
  operator: 'one_of',
  value: [...types],
  case_sensitive: true,
});

/** The group is told as a text. */
const groupFilter = (column_id: string | null | undefined, group: string | null): RecordFilter[] =>
  !column_id || column_id === 'type' || group === null
    ? []
    : [typedFilter(column_id, 'eq', isDuration(column_id) ? `${group} ns` : group)];
