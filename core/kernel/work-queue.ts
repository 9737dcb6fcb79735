/** Hands jobs to workers, at least once. Jobs come in by the store that writes what they are about, within its transaction. */
export interface WorkQueue<Job> {
  /**
   * Calls `handle` for every job, several times when a worker dies or `handle` rejects; a job that fails for good is
   * handed to `giveUp` once.
   */
  work(handle: (job: Job, signal: AbortSignal) => Promise<void>, giveUp: (job: Job) => Promise<void>): Promise<void>;
  /** Stops taking jobs and waits for those under way, for `graceMs` at most; then their signal says that it is over. */
  stop(graceMs: number): Promise<void>;
  /** Jobs waiting or under way; the count may be some seconds old. */
  depth(): Promise<number>;
}
