import type { JobProgress, JobRecord, JobStatus } from '../../../core/jobs/job.ts';
import { type JobMessage, type JobOutcome, type JobStore, toJobMessage } from '../../../core/jobs/job-store.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';
import type { WriterSql } from '../traces/writer-connection.ts';
import { JobTable } from './job-tables.ts';

const OPEN = ['pending', 'processing'];

export interface PostgresJobStoreDeps {
  readonly session: PostgresSession;
  readonly enqueueWithin: (sql: WriterSql, messages: readonly JobMessage[]) => Promise<void>;
}

export class PostgresJobStore implements JobStore {
  readonly #session: PostgresSession;
  readonly #enqueueWithin: PostgresJobStoreDeps['enqueueWithin'];

  constructor({ session, enqueueWithin }: PostgresJobStoreDeps) {
    this.#session = session;
    this.#enqueueWithin = enqueueWithin;
  }

  insert(job: JobRecord): Promise<void> {
    const sql = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await this.#session.sql(text, values) }) };
    return this.#session.run(async () => {
      await this.#session.em.insert(JobTable, toRow(job));
      await this.#enqueueWithin(sql, [toJobMessage(job)]);
    });
  }

  insertOnce(job: JobRecord): Promise<JobRecord> {
    const { project_id, run_id, job_name, request_data } = job;
    return this.#session.run(async () => {
      const key = `start of ${job_name} in ${project_id} ${run_id}`;
      await this.#session.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
      const [same] = await this.#session.sql<{ id: string }>(
        `select id from jobs where project_id is not distinct from $1 and run_id is not distinct from $2 and job_name = $3
           and status = any($4) and request_data = $5::jsonb order by created_at, id limit 1`,
        [project_id, run_id, job_name, OPEN, JSON.stringify(encodeJson(request_data))],
      );
      const found = same && (await this.find(same.id));
      if (found) return found;
      await this.insert(job);
      return job;
    });
  }

  async find(id: string): Promise<JobRecord | undefined> {
    const row = await this.#session.em.findOne(JobTable, { id }, FRESH);
    return row ? toJob(row) : undefined;
  }

  async listByRun(project_id: string, run_id: string, status?: JobStatus): Promise<JobRecord[]> {
    const where = { project_id, run_id, ...(status && { status }) };
    const rows = await this.#session.em.find(JobTable, where, { ...FRESH, orderBy: { created_at: 'desc', id: 'desc' } });
    return rows.map(toJob);
  }

  async latestOfRun(project_id: string, run_id: string): Promise<JobRecord | undefined> {
    const options = { ...FRESH, orderBy: { updated_at: 'desc', id: 'desc' }, limit: 1 } as const;
    const [row] = await this.#session.em.find(JobTable, { project_id, run_id }, options);
    return row ? toJob(row) : undefined;
  }

  async begin(id: string, at: string): Promise<JobRecord | undefined> {
    const begun = await this.#session.sql(
      `update jobs set retries = retries + (status = 'processing')::int, status = 'processing', updated_at = $2,
         processing_started = coalesce(processing_started, $2)
       where id = $1 and status = any($3) returning id`,
      [id, at, OPEN],
    );
    return begun.length > 0 ? this.find(id) : undefined;
  }

  async report(id: string, { steps_completed, steps_total, message, state }: JobProgress, at: string): Promise<boolean> {
    const found = await this.#session.em.nativeUpdate(
      JobTable,
      { id, status: { $in: OPEN } },
      {
        steps_completed,
        steps_total,
        updated_at: at,
        ...(message !== undefined && { progress_message: encodeText(message) }),
        ...(state !== undefined && { state: encodeJson(state) }),
      },
    );
    return found > 0;
  }

  async end(id: string, outcome: JobOutcome, at: string): Promise<void> {
    const isDone = outcome.status === 'completed';
    const changes = isDone
      ? { result: encodeJson(outcome.result), completed_at: at }
      : { error_message: encodeText(outcome.error_message), error_code: outcome.error_code ?? null, failed_at: at };
    await this.#session.em.nativeUpdate(
      JobTable,
      { id, status: { $in: OPEN } },
      { ...changes, status: outcome.status, updated_at: at },
    );
  }
}

const toRow = (job: JobRecord) => ({
  ...job,
  request_data: encodeJson(job.request_data),
  state: encodeJson(job.state),
  result: encodeJson(job.result),
  error_message: job.error_message && encodeText(job.error_message),
  progress_message: job.progress_message && encodeText(job.progress_message),
});

function toJob(row: object): JobRecord {
  const job = plain<JobRecord>(row);
  return {
    ...job,
    request_data: decodeJson(job.request_data) as JobRecord['request_data'],
    state: decodeJson(job.state ?? null) as JsonValue,
    result: decodeJson(job.result ?? null) as JsonValue,
    error_message: job.error_message && decodeText(job.error_message),
    progress_message: job.progress_message && decodeText(job.progress_message),
  };
}
