import { z } from 'zod';
import type { JsonObject, JsonValue } from '../kernel/json.ts';

export const JOB_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const JobStatus = z.enum(JOB_STATUSES);
export type JobStatus = z.output<typeof JobStatus>;

/** Work that goes on behind a request, as stored. */
export interface JobRecord {
  readonly id: string;
  /** Name of the handler. */
  readonly job_name: string;
  /** Null for a job that belongs to whoever started it. */
  readonly project_id: string | null;
  readonly run_id: string | null;
  readonly status: JobStatus;
  /** How often it was begun again. */
  readonly retries: number;
  readonly request_data: JsonObject;
  /** How far it got, in the handler's own form: what a second attempt goes on from. */
  readonly state: JsonValue;
  /** Result, in the handler's own form. */
  readonly result: JsonValue;
  readonly error_message: string | null;
  /** Code of the error by which the job failed, where it has one: see docs/errors.md. */
  readonly error_code: string | null;
  readonly progress_message: string | null;
  readonly steps_completed: number;
  readonly steps_total: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly processing_started: string | null;
  readonly completed_at: string | null;
  readonly failed_at: string | null;
}

/** Arguments of a new job. */
export interface NewJob {
  /** That of what the job makes, for it to be found by; a new one where absent. */
  readonly id?: string;
  readonly job_name: string;
  readonly project_id: string | null;
  readonly run_id: string | null;
  readonly created_by: string;
  /** No secret: it is shown. */
  readonly request_data: JsonObject;
  readonly steps_total?: number;
}

export interface JobProgress {
  readonly steps_completed: number;
  readonly steps_total: number;
  readonly message?: string;
  /** Kept for a second attempt; what was there stays when it is absent. */
  readonly state?: JsonValue;
}

/** A job as the API shows it. */
export const Job = z
  .object({
    id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    failed_at: z.string().nullable(),
    completed_at: z.string().nullable(),
    processing_started: z.string().nullable(),
    job_name: z.string(),
    project_id: z.string().nullable(),
    run_id: z.string().nullable(),
    status: JobStatus,
    retries: z.int(),
    request_data: z.looseObject({}),
    error_message: z.string().nullable(),
    error_code: z.string().nullable().describe('Code of the error by which the job failed, where it has one.'),
    progress_message: z.string().nullable(),
    steps_completed: z.int(),
    steps_total: z.int(),
    /** 0 to 100. */
    progress_percent: z.number(),
    migration_name: z.null(),
    monitor_batch_id: z.null(),
  })
  .meta({ id: 'Job' });
export type Job = z.output<typeof Job>;

export function jobView({ state: _state, result: _result, created_by: _by, request_data, ...job }: JobRecord): Job {
  const share = job.steps_total > 0 ? Math.min(1, job.steps_completed / job.steps_total) : 0;
  const progress_percent = job.status === 'completed' ? 100 : Math.floor(100 * share);
  return { ...job, request_data: { ...request_data }, progress_percent, migration_name: null, monitor_batch_id: null };
}

export const hasEnded = ({ status }: Pick<JobRecord, 'status'>): boolean => status !== 'pending' && status !== 'processing';
