import type { Caller } from '../access/caller.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { JobProgress, JobRecord, NewJob } from './job.ts';
import type { JobRequest } from './job-request.ts';

export interface JobContext {
  /**
   * Tells how far the work is; cheap enough to be called after every step. Rejects with AppError `job_ended` when the job
   * was cancelled or is gone, which the handler lets pass.
   */
  report(progress: JobProgress): Promise<void>;
}

/** One kind of work behind requests. */
export interface JobHandler {
  readonly job_name: string;
  /** Checks what a caller asks of `POST /jobs`. Absent: only the service itself starts such jobs. */
  prepare?(caller: Caller, request: JobRequest): Promise<NewJob>;
  /**
   * Does the work and returns its result. Called again, from the last reported `state`, when the process died or this
   * rejected. An AppError ends the job at once, with its message; `Deferred` hands it back, which is not counted as an attempt.
   */
  run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue>;
}
