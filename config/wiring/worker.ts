import type { WorkFacts } from '../../core/kernel/ports.ts';
import type { WorkQueue } from '../../core/kernel/work-queue.ts';

/** Stands round each piece of work that a worker does; the facts say which piece it is. */
export type Around = <T>(facts: WorkFacts, work: () => Promise<T>) => Promise<T>;

/** Consumer of one queue. */
export interface Worker {
  start(around: Around): Promise<void>;
}

interface Handling<Job> {
  facts(job: Job): WorkFacts;
  work(job: Job, signal: AbortSignal): Promise<void>;
  /** Handles a job that has failed for good. */
  giveUp(job: Job): Promise<void>;
}

export const worker = <Job>(queue: Pick<WorkQueue<Job>, 'work'>, { facts, work, giveUp }: Handling<Job>): Worker => ({
  start: (around) =>
    queue.work(
      (job, signal) => around(facts(job), () => work(job, signal)),
      (job) => around(facts(job), () => giveUp(job)),
    ),
});
