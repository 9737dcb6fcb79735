import type { JsonValue } from '../kernel/json.ts';
import type { WorkQueue } from '../kernel/work-queue.ts';
import type { JobProgress, JobRecord, JobStatus } from './job.ts';

/** Message of a job in the queue: the rest is in the store. */
export interface JobMessage {
  readonly job_id: string;
  /** The project or, without one, the user that the work is done for: workers take turns over them. */
  readonly owner_id?: string;
}

/** The message of a job. */
export const toJobMessage = ({ id, project_id, created_by }: JobRecord): JobMessage => ({
  job_id: id,
  owner_id: project_id ?? created_by,
});

export type JobQueue = WorkQueue<JobMessage>;

export interface JobStore {
  /** Stores a job and puts its message into the queue: both or neither, within the transaction under way. */
  insert(job: JobRecord): Promise<void>;
  /**
   * As `insert`, unless the run has a job of the same name and request that has not ended: then nothing is stored. Returns the job
   * that is there; of calls at the same time one inserts. Idempotent start.
   */
  insertOnce(job: JobRecord): Promise<JobRecord>;
  find(id: string): Promise<JobRecord | undefined>;
  /** Newest first. */
  listByRun(project_id: string, run_id: string, status?: JobStatus): Promise<JobRecord[]>;
  /** The one of a run that changed last. */
  latestOfRun(project_id: string, run_id: string): Promise<JobRecord | undefined>;
  /** Marks a job as begun, and a second time as begun again. Undefined when there is none, or it has ended. */
  begin(id: string, at: string): Promise<JobRecord | undefined>;
  /** Whether the job is still to be worked on: not when it has ended or is gone. */
  report(id: string, progress: JobProgress, at: string): Promise<boolean>;
  /** A job that has ended stays as it is: the first end counts. */
  end(id: string, outcome: JobOutcome, at: string): Promise<void>;
}

export type JobOutcome =
  | { readonly status: 'completed'; readonly result: JsonValue }
  | { readonly status: 'failed' | 'cancelled'; readonly error_message: string; readonly error_code?: string };
