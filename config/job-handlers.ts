import { SyntheticRowsJob } from '../core/datasets/extension/synthetic-rows-job.ts';
import { PlaygroundRunJob } from '../core/experiments/playground-run-job.ts';
import type { JobHandler } from '../core/jobs/job-handler.ts';
import { RecomputeJob } from '../core/traces/recompute-job.ts';
import type { Cradle } from './cradle.ts';

/** Every kind of work that goes on behind requests. */
export const everyJobHandler = (cradle: Cradle): readonly JobHandler[] => [
  new SyntheticRowsJob(cradle),
  new RecomputeJob(cradle),
  new PlaygroundRunJob(cradle),
];
