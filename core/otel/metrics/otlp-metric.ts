/** A metric of a request: its name, and how many data points it has. Nothing else of it is read. */
export interface OtlpMetric {
  name: string;
  points: number;
}

/** The content of a request of the metric endpoint, as far as it is read. */
export interface OtlpMetricRequest {
  readonly metrics: readonly OtlpMetric[];
  /** Why data points cannot be read, one text for each of them. */
  readonly malformed: readonly string[];
}
