import type { ImportJob } from './import-job.ts';

/**
 * Progress of running imports. Every write MUST be seen by others at once, also when it is made while a transaction of
 * the caller is open, and stays when that is undone: an import is watched while it stores its rows.
 */
export interface ImportProgress {
  /** Rejects with AppError `conflict` when the id is taken. */
  start(job: ImportJob): Promise<void>;
  /** Replaces the job by what `change` makes of it; one at a time. An unknown id is passed by. */
  update(id: string, change: (job: ImportJob) => ImportJob): Promise<void>;
  /** Undefined for an unknown id. */
  find(id: string): Promise<ImportJob | undefined>;
  /** Forgets what was last heard of before that time, and returns how many that were. */
  forgetBefore(time: string): Promise<number>;
}
