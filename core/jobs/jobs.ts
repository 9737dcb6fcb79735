import type { Clock, NewId } from '../kernel/ports.ts';
import type { JobRecord, NewJob } from './job.ts';
import type { JobStore } from './job-store.ts';

/** Where services leave work that is to go on after they have returned. */
export class Jobs {
  readonly #store: JobStore;
  readonly #clock: Clock;
  readonly #newId: NewId;

  constructor(deps: { jobStore: JobStore; clock: Clock; newId: NewId }) {
    this.#store = deps.jobStore;
    this.#clock = deps.clock;
    this.#newId = deps.newId;
  }

  /** Stores the job within the transaction under way; a worker begins it once that is committed. */
  async start(asked: NewJob): Promise<JobRecord> {
    const job = this.#toRecord(asked);
    await this.#store.insert(job);
    return job;
  }

  /** As `start`; while a job of the same run, name and request has not ended, returns that one and starts none. */
  startOnce(asked: NewJob): Promise<JobRecord> {
    return this.#store.insertOnce(this.#toRecord(asked));
  }

  #toRecord({ steps_total = 0, ...asked }: NewJob): JobRecord {
    const now = this.#clock().toISOString();
    return {
      id: this.#newId(),
      ...asked,
      status: 'pending',
      retries: 0,
      state: null,
      result: null,
      error_message: null,
      error_code: null,
      progress_message: null,
      steps_completed: 0,
      steps_total,
      created_at: now,
      updated_at: now,
      processing_started: null,
      completed_at: null,
      failed_at: null,
    };
  }
}
