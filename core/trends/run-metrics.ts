import type { RecordSelection } from '../traces/record-query.ts';

/**
 * Numbers of a set of traces: `requests` and `errors` (traces whose status is 400 or more) always; `average_duration_ns`,
 * `p50_duration_ns` and `p95_duration_ns` where traces say how long they took; `num_input_tokens`, `num_output_tokens`,
 * `num_total_tokens` and `cost`, added up over their model calls, where these say so; and for every metric of a scorer
 * `metrics/<name>`, the average of its numbers on the traces and all records in them, yes being 1 and no 0.
 */
export type MetricNumbers = { readonly requests: number; readonly errors: number } & Readonly<Record<string, number>>;

export interface BucketNumbers {
  /** The value that the traces have under `group_by`, as text; null without one. */
  readonly group: string | null;
  /** Counted from 0. */
  readonly bucket: number;
  readonly numbers: MetricNumbers;
}

export interface MetricsQuery {
  /** Of traces. */
  readonly selection: RecordSelection;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
  readonly interval_minutes: number;
  readonly group_by: string | undefined;
  /** Buckets that hold traces, of all groups together; one more is answered when there are more. */
  readonly max_rows: number;
}

/**
 * Traces by the time they began. A query without conditions and groups can be answered from numbers that were added up by
 * the hour, when hours fill its buckets and the run has many records: with what `toMetricNumbers` says of such results.
 */
export interface RunMetrics {
  /** `buckets`: only those that hold traces, in no order. */
  measure(query: MetricsQuery): Promise<{ readonly total: MetricNumbers; readonly buckets: readonly BucketNumbers[] }>;
}
