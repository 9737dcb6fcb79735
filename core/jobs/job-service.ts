import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { requireRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { type Job, type JobStatus, jobView } from './job.ts';
import type { JobHandler } from './job-handler.ts';
import type { JobRequest, JobStarted } from './job-request.ts';
import type { JobStore } from './job-store.ts';
import type { Jobs } from './jobs.ts';

export interface JobServiceDeps {
  readonly jobStore: JobStore;
  readonly jobs: Jobs;
  readonly jobHandlers: readonly JobHandler[];
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
}

/** Starting work by request, and watching it. */
export class JobService {
  readonly #deps: JobServiceDeps;

  constructor(deps: JobServiceDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, request: JobRequest): Promise<JobStarted> {
    await this.#seesRun(caller, request.project_id, request.run_id);
    const handler = this.#deps.jobHandlers.find(({ job_name }) => job_name === request.job_name);
    if (!handler?.prepare) throw unknownName(request.job_name);
    const job = await this.#deps.jobs.startOnce(await handler.prepare(caller, request));
    return { ...request, message: 'the job was started', link: `/v2/jobs/${job.id}`, job_id: job.id };
  }

  /** A job of a project is seen by those who see the project, another by whoever started it. */
  async get(caller: Caller, job_id: string): Promise<Job> {
    const job = await this.#deps.jobStore.find(job_id);
    if (!job || !(await this.#isSeenBy(caller, job.project_id, job.created_by)))
      throw new AppError('not_found', 'job_not_found', `job ${job_id} does not exist`);
    return jobView(job);
  }

  async listOfRun(caller: Caller, project_id: string, run_id: string, status?: JobStatus): Promise<Job[]> {
    await this.#seesRun(caller, project_id, run_id);
    return (await this.#deps.jobStore.listByRun(project_id, run_id, status)).map(jobView);
  }

  async latestOfRun(caller: Caller, project_id: string, run_id: string): Promise<Job | null> {
    await this.#seesRun(caller, project_id, run_id);
    const job = await this.#deps.jobStore.latestOfRun(project_id, run_id);
    return job ? jobView(job) : null;
  }

  async #seesRun(caller: Caller, project_id: string, run_id: string): Promise<void> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    await requireRun(this.#deps.runDirectory, project_id, run_id);
  }

  async #isSeenBy(caller: Caller, project_id: string | null, created_by: string): Promise<boolean> {
    if (project_id === null) return caller.user_id === created_by;
    return (await this.#deps.authorizer.roleOn(caller, 'project', project_id)) !== undefined;
  }
}

function unknownName(job_name: string): AppError {
  const msg = `nobody can start jobs of the name "${job_name}"`;
  return new AppError('invalid', 'job_name_unknown', msg, {
    issues: [{ loc: ['body', 'job_name'], msg, type: 'job_name_unknown', input: job_name }],
  });
}
