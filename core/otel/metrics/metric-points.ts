import type { JsonValue } from '../../kernel/json.ts';
import type { Steps } from '../../kernel/slices.ts';
import { toJsonText } from '../../plugin-sdk/otel/json-text.ts';
import type { DestinationOf, OtlpDestination } from '../destination.ts';
import { type Sha256, uuid4 } from '../otel-ids.ts';
import type { OtlpAttributes } from '../spans/otlp-span.ts';
import { storableText } from '../storable.ts';
import { DIMENSION_NAMES, DIMENSIONS, type Dimension } from './kept-metrics.ts';
import type { MetricSeries } from './metric-series.ts';
import type { StreamForm } from './metric-stream.ts';
import { type OtlpMetric, type OtlpMetricRequest, type OtlpPoint, TEMPORALITY } from './otlp-metric.ts';

/** A data point, of which series and of which stream it is. */
export interface MetricPoint {
  readonly series: MetricSeries;
  readonly stream_id: string;
  readonly form: StreamForm;
  readonly point: OtlpPoint;
}

export interface MetricGroup {
  readonly destination: OtlpDestination;
  readonly items: MetricPoint[];
}

const MAX_VALUE = 200;
const MAX_UNIT = 63;
const POINTS_AT_ONCE = 200;
const NO_ATTRIBUTES: OtlpAttributes = new Map();

/** The data points of a request that are kept, by where they go, and why others of them are refused, one text for each. */
export function* readMetricPoints(
  { resource_metrics }: OtlpMetricRequest,
  destinationOf: DestinationOf,
  sha256: Sha256,
): Steps<{ groups: MetricGroup[]; refused: string[] }> {
  const groups = new Map<string, MetricGroup>();
  const refused: string[] = [];
  let count = 0;
  for (const { resource, scope_metrics } of resource_metrics) {
    if (!scope_metrics.some(({ metrics }) => metrics.some(({ points }) => points.length > 0))) continue;
    const destination = destinationOf(resource, NO_ATTRIBUTES);
    const key = JSON.stringify(destination);
    const group = groups.get(key) ?? { destination, items: [] };
    groups.set(key, group);
    const source = computeDigest(toPairs(resource), sha256);
    for (const { scope, metrics } of scope_metrics)
      for (const metric of metrics) {
        const form = toForm(metric);
        for (const point of metric.points) {
          count += 1;
          if (count % POINTS_AT_ONCE === 0) yield;
          if (form === undefined) refused.push('a metric does not say whether its points are totals or changes');
          else if (!point.is_missing)
            group.items.push(toMetricPoint(metric, form, point, [source, scope.name, scope.version], sha256));
        }
      }
  }
  return { groups: [...groups.values()].filter(({ items }) => items.length > 0), refused };
}

/** A total that goes up and down is a level, whoever adds it up. */
function toForm({ kind, temporality, is_monotonic }: OtlpMetric): StreamForm | undefined {
  if (kind === 'gauge') return 'samples';
  if (temporality === TEMPORALITY.delta) return 'deltas';
  if (temporality !== TEMPORALITY.cumulative) return undefined;
  return kind === 'sum' && !is_monotonic ? 'samples' : 'totals';
}

/** A stream of totals that begins anew is another one, so that its beginning is part of its id. */
function toMetricPoint(
  metric: OtlpMetric,
  form: StreamForm,
  point: OtlpPoint,
  source: readonly string[],
  sha256: Sha256,
): MetricPoint {
  const series = toSeries(metric, point.attributes, sha256);
  const since = form === 'totals' ? String(point.start_unix_nano) : '';
  const stream_id = toId([series.id, ...source, form, since, toPairs(point.attributes)], sha256);
  return { series, stream_id, form, point };
}

function toSeries({ name, unit, kind }: OtlpMetric, attributes: OtlpAttributes, sha256: Sha256): MetricSeries {
  const values = DIMENSION_NAMES.map((dimension) => toValue(attributes, dimension));
  const facts = { name: storableText(name), unit: storableText(unit, MAX_UNIT), kind: kind as MetricSeries['kind'] };
  const dimensions = Object.fromEntries(DIMENSION_NAMES.map((dimension, at) => [dimension, values[at]!])) as Record<
    Dimension,
    string | null
  >;
  return { id: toId([facts.name, facts.unit, facts.kind, ...values], sha256), ...facts, ...dimensions };
}

function toValue(attributes: OtlpAttributes, dimension: Dimension): string | null {
  const found = (DIMENSIONS[dimension] as readonly string[]).map((name) => attributes.get(name)).find((value) => isValue(value));
  return found === undefined ? null : storableText(toJsonText(found), MAX_VALUE);
}

const isValue = (value: JsonValue | undefined): boolean => value !== undefined && value !== null && value !== '';

const toPairs = (attributes: OtlpAttributes): JsonValue[] =>
  [...attributes].sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([key, value]) => [key, value]);

const computeDigest = (value: JsonValue, sha256: Sha256): string => sha256(new TextEncoder().encode(JSON.stringify(value)));

const toId = (parts: readonly JsonValue[], sha256: Sha256): string => uuid4(computeDigest([...parts], sha256).slice(0, 32));
