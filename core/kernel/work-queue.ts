/** Hands jobs to workers, at least once. Jobs come in by the store that writes what they are about, within its transaction. */
export interface WorkQueue<Job> {
  /**
   * Calls `handle` for every job, several times when a worker dies or `handle` rejects; a job that fails for good is
   * handed to `giveUp` once. A job that rejects with `Deferred` is put back and not counted as an attempt; neither is
   * one that meets an outage of the database, for a day. Jobs of several owners are handed out in turns, and no owner
   * has more than a share of those under way: see `FairShare`.
   */
  work(handle: (job: Job, signal: AbortSignal) => Promise<void>, giveUp: (job: Job) => Promise<void>): Promise<void>;
  /** Adds a job by itself, outside of any transaction. */
  put(job: Job): Promise<void>;
  /** Stops taking jobs and waits for those under way, for `graceMs` at most; then their signal says that it is over. */
  stop(graceMs: number): Promise<void>;
  /** Jobs waiting or under way; the count may be some seconds old. */
  depth(): Promise<number>;
}

/** Rejection by which a handler hands its job back: the job, or what is left of it, comes again after the delay, in milliseconds. */
export class Deferred<Job = unknown> extends Error {
  override readonly name = 'Deferred';
  readonly job: Job;
  readonly delayMs: number;

  constructor(job: Job, delayMs: number, why: string) {
    super(why);
    this.job = job;
    this.delayMs = delayMs;
  }
}
