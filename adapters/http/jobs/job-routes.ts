import { z } from 'zod';
import { Job, JobStatus } from '../../../core/jobs/job.ts';
import { JobRequest, JobStarted } from '../../../core/jobs/job-request.ts';
import type { JobService } from '../../../core/jobs/job-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';

const RunPath = z.object({ project_id: Id, run_id: Id });

export const jobRoutes = ({ jobService }: { jobService: JobService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/jobs',
    operationId: 'createJob',
    summary: 'Start work that goes on behind the answer.',
    tag: 'jobs',
    body: JobRequest,
    response: JobStarted,
    errors: [404],
    handle: ({ caller, body }) => jobService.create(caller, body),
  }),
  route({
    method: 'get',
    path: '/v2/jobs/{job_id}',
    operationId: 'getJob',
    summary: 'How far a job is, and how it ended.',
    tag: 'jobs',
    params: z.object({ job_id: Id }),
    response: Job,
    handle: ({ caller, params }) => jobService.get(caller, params.job_id),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/runs/{run_id}/jobs',
    operationId: 'listJobsOfRun',
    summary: 'The jobs of a run, newest first.',
    tag: 'jobs',
    params: RunPath,
    query: z.object({ status: JobStatus.optional() }),
    response: z.array(Job),
    handle: ({ caller, params, query }) => jobService.listOfRun(caller, params.project_id, params.run_id, query.status),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/runs/{run_id}/jobs/latest',
    operationId: 'getLatestJobOfRun',
    summary: 'The job of a run that changed last, or null.',
    tag: 'jobs',
    params: RunPath,
    response: Job.nullable(),
    handle: ({ caller, params }) => jobService.latestOfRun(caller, params.project_id, params.run_id),
  }),
];
