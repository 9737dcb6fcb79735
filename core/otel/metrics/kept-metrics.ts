import type { OtlpMetricKind } from './otlp-metric.ts';

/** The namespace of the metrics that belong to the field: OpenTelemetry keeps it for them. */
const NAMESPACE = 'gen_ai.';
const MAX_NAME = 200;

/** Whether a metric is one of model calls, agents or model servers; all others are left to stores of metrics. */
export const isGenAiMetric = (name: string): boolean => name.startsWith(NAMESPACE) && name.length <= MAX_NAME;

/** Finished percentiles cannot be added up, so a summary is of no use to a chart over hours. */
export const isKeptMetric = (name: string, kind: OtlpMetricKind): boolean => kind !== 'summary' && isGenAiMetric(name);

/** Dimensions, which tell the series of a metric apart, and the attributes that say so: the first that has a value. */
export const DIMENSIONS = {
  model: ['gen_ai.response.model', 'gen_ai.request.model'],
  operation: ['gen_ai.operation.name'],
  provider: ['gen_ai.provider.name', 'gen_ai.system'],
  token_type: ['gen_ai.token.type'],
  error_type: ['error.type'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Dimension = keyof typeof DIMENSIONS;
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as Dimension[];

/** The dimension that an attribute tells; undefined for all other attributes. */
export const findDimension = (attribute: string): Dimension | undefined =>
  DIMENSION_NAMES.find((dimension) => (DIMENSIONS[dimension] as readonly string[]).includes(attribute));
