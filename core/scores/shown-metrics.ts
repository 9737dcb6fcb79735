import type { MetricSettings } from './metric-settings.ts';

/**
 * Entries of `metric_info` in one reply: with 25 scorers 1,000 records, with 250 scorers 100. Each record
 * has one for each scorer that applies to it, so that replies would else grow with records times scorers, to 143 MB.
 */
const MAX_METRICS_SHOWN = 25_000;

/** How many records a reply may hold with their metrics. */
export const recordsWithMetrics = ({ scorers }: Pick<MetricSettings, 'scorers'>): number =>
  Math.floor(MAX_METRICS_SHOWN / Math.max(1, scorers.length));
