export interface MetricSettings {
  readonly scorers: unknown[];
}
