import type { WorkQueue } from '../../kernel/work-queue.ts';

/** Traces and sessions of one run that have something new to score; those that are not complete then are left alone. */
export interface ScoringJob {
  readonly project_id: string;
  readonly run_id: string;
  readonly trace_ids: readonly string[];
  readonly session_ids?: readonly string[];
  /** Only these scorers; absent: all of the run. */
  readonly scorer_ids?: readonly string[];
  /** Since when the job waits for a model provider. */
  readonly waits_since?: string;
}

/**
 * Jobs come in by `TraceStore.write` and `amend`, within their transaction, so that no committed trace lacks its job.
 */
export type ScoringQueue = WorkQueue<ScoringJob>;
