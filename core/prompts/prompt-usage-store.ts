import { COUNTED, isCounted } from '../record-index/record-metrics.ts';
import { isSystemMetric } from '../traces/catalogue/system-metrics.ts';

/** Sum of one metric of the calls of one version, that began in one bucket of time. */
export interface PromptUsageSum {
  readonly prompt_version_id: string;
  /** Beginning of the bucket; null where the whole time is one. */
  readonly at: string | null;
  /** Name of the metric, as in charts of trends; `records` and `errors` count. */
  readonly name: string;
  readonly count: number;
  readonly sum: number;
}

export interface PromptUsageSelection {
  readonly project_id: string;
  readonly prompt_version_ids: readonly string[];
  /** Whole hours, in UTC. */
  readonly from: string;
  readonly to: string;
  /** Of a bucket, in whole hours from the beginning of the Unix epoch; absent where the whole time is one. */
  readonly bucket_hours?: number;
}

/**
 * Figures of the calls that were made with versions of prompts, kept by the hour behind the write path: what is read grows with hours, metrics and runs, never
 * with calls.
 */
export interface PromptUsageStore {
  /** By version, bucket and name, ascending; at most `limit`. Calls of other projects are none of them. */
  sum(selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]>;
  /**
   * As `sum`, of the traces that have calls of the versions: each once for each of its versions, of which the first 100 by id count, in the
   * hour that it began in. Of their metrics `records` and the results of scorers, ratings and senders.
   */
  sumTraces(selection: PromptUsageSelection, limit: number): Promise<PromptUsageSum[]>;
}

/** Versions of one trace that it is counted for. */
export const MAX_VERSIONS_OF_TRACE = 100;

/** Whether a metric is the result of a scorer, a rating, or the sender's own: what calls cost and take has figures of its own. */
export const isResult = (name: string): boolean => name !== 'cost' && !isCounted(name) && !isSystemMetric(name);

/** Whether a metric of a trace counts for the versions called in it: what calls cost and take is theirs, by themselves. */
export const isOfTrace = (name: string): boolean => name === COUNTED.records || isResult(name);
