import type { JsonValue } from '../../core/kernel/json.ts';
import { isKeptMetric } from '../../core/otel/metrics/kept-metrics.ts';
import type { OtlpMetric, OtlpPoint, OtlpResourceMetrics, OtlpScopeMetrics } from '../../core/otel/metrics/otlp-metric.ts';
import type { Draft } from './span-draft.ts';

/** The decoded shapes while they are being filled. */
export type PointDraft = Draft<OtlpPoint> & { attributes: Map<string, JsonValue> };
export type MetricDraft = Draft<Omit<OtlpMetric, 'points'>> & { points: PointDraft[] };
export type ScopeMetricsDraft = { scope: Draft<OtlpScopeMetrics['scope']>; metrics: OtlpMetric[] };
export type ResourceMetricsDraft = Draft<OtlpResourceMetrics> & {
  resource: Map<string, JsonValue>;
  scope_metrics: OtlpScopeMetrics[];
};

/** Bit of the flags of a point: the sender has no value for it. */
export const NO_VALUE = 1;

export const newMetric = (): MetricDraft => ({
  name: '',
  unit: '',
  kind: 'gauge',
  temporality: 0,
  is_monotonic: false,
  num_points: 0,
  points: [],
});

/** Without the points of a metric that is not kept. */
export const toKept = (metric: MetricDraft): OtlpMetric =>
  isKeptMetric(metric.name, metric.kind) ? metric : { ...metric, points: [] };
