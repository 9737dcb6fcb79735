import { AppError } from '../kernel/errors.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import { Deferred } from '../kernel/work-queue.ts';
import type { JobProgress, JobRecord } from './job.ts';
import type { JobContext, JobHandler } from './job-handler.ts';
import type { JobMessage, JobOutcome, JobStore } from './job-store.ts';

export interface JobRunnerDeps {
  readonly jobStore: JobStore;
  readonly jobHandlers: readonly JobHandler[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Progress is watched by people: more often than this says nothing more. */
const REPORT_EVERY_MS = 500;
const GIVEN_UP = 'The job was given up after repeated failures.';

/** Runs the jobs whose messages a worker takes from the queue. */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #handlers: ReadonlyMap<string, JobHandler>;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#handlers = new Map(deps.jobHandlers.map((handler) => [handler.job_name, handler]));
  }

  /** Rejects when the work may succeed at another try, with `Deferred` when not now; the queue then hands the message out again. */
  async run(message: JobMessage, signal: AbortSignal): Promise<void> {
    const { jobStore } = this.#deps;
    const { job_id } = message;
    const job = await jobStore.begin(job_id, this.#now());
    if (!job) return;
    const outcome = await this.#toOutcome(job, signal).catch(async (error: unknown) => {
      throw error instanceof Deferred ? await this.#handedBack(message, error) : error;
    });
    await jobStore.end(job_id, outcome, this.#now());
  }

  async giveUp({ job_id }: JobMessage): Promise<void> {
    await this.#deps.jobStore.end(job_id, { status: 'failed', error_message: GIVEN_UP }, this.#now());
  }

  /** Whoever watches the job is told why it waits. */
  async #handedBack(message: JobMessage, { delayMs, message: why }: Deferred): Promise<Deferred<JobMessage>> {
    const { jobStore } = this.#deps;
    const job = await jobStore.find(message.job_id);
    if (job) {
      const { steps_completed, steps_total } = job;
      await jobStore.report(job.id, { steps_completed, steps_total, message: why }, this.#now());
    }
    return new Deferred(message, delayMs, why);
  }

  async #toOutcome(job: JobRecord, signal: AbortSignal): Promise<JobOutcome> {
    const handler = this.#handlers.get(job.job_name);
    if (!handler) return { status: 'failed', error_message: `nothing here does jobs of the name "${job.job_name}"` };
    try {
      return { status: 'completed', result: await handler.run(job, this.#toJobContext(job), signal) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Deferred) throw error;
      if (error instanceof AppError && error.kind !== 'unavailable')
        return { status: 'failed', error_message: error.message, error_code: error.code };
      this.#deps.log.warn('a job failed', { job_id: job.id, job_name: job.job_name, error: String(error) });
      throw error;
    }
  }

  #toJobContext(job: JobRecord): JobContext {
    let reported = 0;
    return {
      report: async (progress: JobProgress) => {
        const now = this.#deps.clock();
        const isLast = progress.steps_completed >= progress.steps_total;
        if (!isLast && progress.state === undefined && now.getTime() - reported < REPORT_EVERY_MS) return;
        reported = now.getTime();
        const goesOn = await this.#deps.jobStore.report(job.id, progress, now.toISOString());
        if (!goesOn) throw new AppError('conflict', 'job_ended', `job ${job.id} has ended`);
      },
    };
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}
