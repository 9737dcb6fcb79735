import type { SpanLog } from './span-log.ts';

/** How much is kept of one span. */
export interface SpanLogSize {
  readonly logs: number;
  /** Characters of all of them. */
  readonly characters: number;
}

/**
 * Log records of spans, kept for a time after they came: a span and its log records arrive in any order, and in several
 * requests. Known by (run, span, id).
 */
export interface SpanLogStore {
  /** Stores log records of spans of a run. One whose id is known of its span is left alone, as is all of it when the run is gone. */
  insert(project_id: string, run_id: string, logs: readonly SpanLog[], received_at: string): Promise<void>;

  /** Those of the spans, by span, in the order of their places; a span without any is absent. */
  list(project_id: string, run_id: string, span_ids: readonly string[]): Promise<Map<string, SpanLog[]>>;

  /** How much is kept of each of the spans; a span without any is absent. */
  sizes(project_id: string, run_id: string, span_ids: readonly string[]): Promise<Map<string, SpanLogSize>>;

  /** Removes up to `limit` of those that were received before a time. Returns how many. */
  removeReceivedBefore(time: string, limit: number): Promise<number>;
}
