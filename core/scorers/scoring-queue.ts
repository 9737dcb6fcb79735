/** Traces of one run that have something new to score; those that are not complete then are left alone. */
export interface ScoringJob {
  readonly project_id: string;
  readonly run_id: string;
  readonly trace_ids: readonly string[];
}

/**
 * Hands jobs to workers, at least once. Jobs come in by `TraceStore.write` and `amend`, within their transaction, so
 * that no committed trace lacks its job.
 */
export interface ScoringQueue {
  /**
   * Calls `score` for every job, several times when a worker dies or `score` rejects; a job that fails for good is
   * handed to `giveUp` once.
   */
  work(score: (job: ScoringJob, signal: AbortSignal) => Promise<void>, giveUp: (job: ScoringJob) => Promise<void>): Promise<void>;
  /** Stops taking jobs and waits for those under way, for `graceMs` at most; then their signal says that it is over. */
  stop(graceMs: number): Promise<void>;
  /** Jobs waiting or under way; the count may be some seconds old. */
  depth(): Promise<number>;
}
