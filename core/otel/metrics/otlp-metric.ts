import type { OtlpAttributes } from '../spans/otlp-span.ts';

/** How a metric counts. Of a summary, which holds finished percentiles, only the number of data points is read. */
export type OtlpMetricKind = 'gauge' | 'sum' | 'histogram' | 'summary';

/** Whether points say what came since the last one (1), or since the stream began (2); 0 where the sender does not tell. */
export const TEMPORALITY = { unspecified: 0, delta: 1, cumulative: 2 } as const;

/** The first bucket goes up to the first bound, the last one is open: there is one count more than there are bounds. */
export interface ExplicitBuckets {
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** Counts of the buckets from `offset` on. */
export interface BucketRow {
  readonly offset: number;
  readonly counts: readonly number[];
}

/** Bucket `i` holds sizes above base^i and up to base^(i+1), where base is 2^(2^-scale). */
export interface ExponentialBuckets {
  readonly scale: number;
  readonly zero_count: number;
  readonly positive: BucketRow;
  readonly negative: BucketRow;
}

/** A fact that the sender does not state is null. */
export interface OtlpHistogram {
  readonly count: number;
  readonly sum: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly buckets: ExplicitBuckets | ExponentialBuckets;
}

export interface OtlpPoint {
  readonly attributes: OtlpAttributes;
  /** 0 where the sender does not tell. */
  readonly start_unix_nano: bigint;
  readonly time_unix_nano: bigint;
  /** The sender says that it has no value for this time. */
  readonly is_missing: boolean;
  readonly value: number | OtlpHistogram;
}

export interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly kind: OtlpMetricKind;
  readonly temporality: number;
  /** Of sums: whether they only grow. */
  readonly is_monotonic: boolean;
  /** All points that could be read, also where they are not kept. */
  readonly num_points: number;
  /** Empty for a metric that is not kept. */
  readonly points: readonly OtlpPoint[];
}

export interface OtlpScopeMetrics {
  readonly scope: { readonly name: string; readonly version: string };
  readonly metrics: readonly OtlpMetric[];
}

export interface OtlpResourceMetrics {
  readonly resource: OtlpAttributes;
  readonly scope_metrics: readonly OtlpScopeMetrics[];
}

/** The content of a request of the metric endpoint. */
export interface OtlpMetricRequest {
  readonly resource_metrics: readonly OtlpResourceMetrics[];
  /** Why data points cannot be read, one text for each of them. */
  readonly malformed: readonly string[];
}
