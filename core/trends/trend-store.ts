import type { HourlyMetrics, RecordMetric } from '../record-index/hourly.ts';

/** Selection of metrics of a run. */
export interface MetricSelection {
  readonly project_id: string;
  readonly run_id: string;
  readonly names: readonly string[];
  /** Undefined: records of every type. */
  readonly types?: readonly string[] | undefined;
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/**
 * The metrics of records, one by one and by the hour. They follow what is logged, scored and deleted at a short distance:
 * see `RecordIndex`.
 */
export interface TrendStore {
  /** By hour, name and type, for the hours that begin in the selected time. Without sketches when not asked for: they are empty then. */
  hourly(selection: MetricSelection, withSketches: boolean): Promise<HourlyMetrics[]>;
  /** One by one, oldest first, at most `limit`. What is counted of every record (`COUNTED`) is only known by the hour. */
  metrics(selection: MetricSelection, limit: number): Promise<RecordMetric[]>;
  /** Names that the run has metrics of. */
  names(project_id: string, run_id: string): Promise<string[]>;
}
