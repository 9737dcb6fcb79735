import { hasEnded, type JobProgress, type JobRecord, type JobStatus } from '../../../core/jobs/job.ts';
import { type JobMessage, type JobOutcome, type JobStore, toJobMessage } from '../../../core/jobs/job-store.ts';
import { canonicalJson } from '../../../core/kernel/canonical-json.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryJobStore implements JobStore {
  readonly #jobs: Table<string, JobRecord>;
  readonly #enqueue: (message: JobMessage) => void;

  constructor({ database, enqueue }: { database: MemoryDatabase; enqueue: (message: JobMessage) => void }) {
    this.#enqueue = enqueue;
    this.#jobs = database.table();
  }

  async insert(job: JobRecord): Promise<void> {
    this.#jobs.set(job.id, structuredClone(job));
    this.#enqueue(toJobMessage(job));
  }

  async insertOnce(job: JobRecord): Promise<JobRecord> {
    const request = canonicalJson(job.request_data);
    const isSame = (one: JobRecord): boolean =>
      one.project_id === job.project_id && one.run_id === job.run_id && one.job_name === job.job_name && !hasEnded(one);
    const same = [...this.#jobs.values()].find((one) => isSame(one) && canonicalJson(one.request_data) === request);
    if (same) return structuredClone(same);
    await this.insert(job);
    return job;
  }

  async find(id: string): Promise<JobRecord | undefined> {
    return structuredClone(this.#jobs.get(id));
  }

  async listByRun(project_id: string, run_id: string, status?: JobStatus): Promise<JobRecord[]> {
    return this.#ofRun(project_id, run_id)
      .filter((job) => status === undefined || job.status === status)
      .toSorted((a, b) => (b.created_at + b.id > a.created_at + a.id ? 1 : -1));
  }

  async latestOfRun(project_id: string, run_id: string): Promise<JobRecord | undefined> {
    return this.#ofRun(project_id, run_id).toSorted((a, b) => (b.updated_at + b.id > a.updated_at + a.id ? 1 : -1))[0];
  }

  async begin(id: string, at: string): Promise<JobRecord | undefined> {
    this.#change(id, (job) => ({
      retries: job.retries + (job.status === 'processing' ? 1 : 0),
      status: 'processing',
      updated_at: at,
      processing_started: job.processing_started ?? at,
    }));
    const job = await this.find(id);
    return job && !hasEnded(job) ? job : undefined;
  }

  async report(id: string, { steps_completed, steps_total, message, state }: JobProgress, at: string): Promise<boolean> {
    return this.#change(id, (job) => ({
      steps_completed,
      steps_total,
      updated_at: at,
      progress_message: message ?? job.progress_message,
      state: state === undefined ? job.state : structuredClone(state),
    }));
  }

  async end(id: string, outcome: JobOutcome, at: string): Promise<void> {
    this.#change(id, () =>
      outcome.status === 'completed'
        ? { status: outcome.status, result: structuredClone(outcome.result), completed_at: at, updated_at: at }
        : { error_code: null, ...outcome, failed_at: at, updated_at: at },
    );
  }

  #ofRun(project_id: string, run_id: string): JobRecord[] {
    const all = [...this.#jobs.values()];
    return all.filter((job) => job.project_id === project_id && job.run_id === run_id).map((job) => structuredClone(job));
  }

  #change(id: string, changes: (job: JobRecord) => Partial<JobRecord>): boolean {
    const job = this.#jobs.get(id);
    if (!job || hasEnded(job)) return false;
    this.#jobs.set(id, { ...job, ...changes(job) });
    return true;
  }
}
