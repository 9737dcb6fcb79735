import { SyntheticRowsJob } from '../core/datasets/extension/synthetic-rows-job.ts';
import { PlaygroundRunJob } from '../core/experiments/playground-run-job.ts';
import type { JobHandler } from '../core/jobs/job-handler.ts';
import { AutogenJob } from '../core/scorers/autogen/autogen-job.ts';
import { RecomputeJob } from '../core/scorers/recompute/recompute-job.ts';
import { SampleTrialJob } from '../core/scorers/validation/sample-job.ts';
import { TrialJob } from '../core/scorers/validation/trial-job.ts';
import type { Cradle } from './cradle.ts';

/** Every kind of work that goes on behind requests. */
export const everyJobHandler = (cradle: Cradle): readonly JobHandler[] => [
  new SyntheticRowsJob(cradle),
  new RecomputeJob(cradle),
  new PlaygroundRunJob(cradle),
  new SampleTrialJob(cradle, 'registered'),
  new SampleTrialJob(cradle, 'generated'),
  new TrialJob(cradle),
  new AutogenJob(cradle),
];
