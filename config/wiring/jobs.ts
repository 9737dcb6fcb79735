import { jobRoutes } from '../../adapters/http/jobs/job-routes.ts';
import { JobRunner } from '../../core/jobs/job-runner.ts';
import { JobService } from '../../core/jobs/job-service.ts';
import type { JobQueue } from '../../core/jobs/job-store.ts';
import { Jobs } from '../../core/jobs/jobs.ts';
import { capability, singleton } from './registration.ts';
import { worker } from './worker.ts';

export const jobs = capability({
  services: {
    jobs: singleton(Jobs),
    jobRunner: singleton(JobRunner),
    jobService: singleton(JobService),
  },
  routes: [jobRoutes],
  workers: [
    ({ jobQueue, jobRunner }: { jobQueue: JobQueue; jobRunner: JobRunner }) =>
      worker(jobQueue, {
        facts: ({ job_id }) => ({ job_id }),
        work: (message, signal) => jobRunner.run(message, signal),
        giveUp: (message) => jobRunner.giveUp(message),
      }),
  ],
});
