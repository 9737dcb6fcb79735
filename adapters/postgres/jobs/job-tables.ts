import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Jobs of projects and of users. Texts in JSON and messages are encoded as those of records. */
export const JobTable = defineEntity({
  name: 'JobRow',
  tableName: 'jobs',
  properties: {
    id: uuid().primary(),
    job_name: text(),
    project_id: uuid().nullable(),
    run_id: uuid().nullable(),
    status: text(),
    retries: p.integer(),
    request_data: jsonb<unknown>(),
    state: jsonb<unknown>().nullable(),
    result: jsonb<unknown>().nullable(),
    error_message: text().nullable(),
    error_code: text().nullable(),
    progress_message: text().nullable(),
    steps_completed: p.integer(),
    steps_total: p.integer(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
    processing_started: timestamp().nullable(),
    completed_at: timestamp().nullable(),
    failed_at: timestamp().nullable(),
  },
  indexes: [{ name: 'jobs_run_index', properties: ['project_id', 'run_id', 'created_at'] }],
});

export const jobTables = [JobTable];
