import type { JobHandler } from '../core/jobs/job-handler.ts';
import type { Cradle } from './cradle.ts';

/** Every kind of work that goes on behind requests. */
export const everyJobHandler = (_cradle: Cradle): readonly JobHandler[] => [];
