import type { ImportJob } from '../../../core/datasets/files/import-job.ts';
import type { ImportProgress } from '../../../core/datasets/files/import-progress.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';

export class MemoryImportProgress implements ImportProgress {
  readonly #jobs = new Map<string, ImportJob>();

  async start(job: ImportJob): Promise<void> {
    if (this.#jobs.has(job.id)) throw new AppError('conflict', 'import_exists', `import ${job.id} exists`);
    this.#jobs.set(job.id, structuredClone(job));
  }

  async update(id: string, change: (job: ImportJob) => ImportJob): Promise<void> {
    const job = this.#jobs.get(id);
    if (job) this.#jobs.set(id, structuredClone(change(structuredClone(job))));
  }

  async find(id: string): Promise<ImportJob | undefined> {
    return structuredClone(this.#jobs.get(id));
  }

  async forgetBefore(time: string): Promise<number> {
    const old = [...this.#jobs.values()].filter((job) => isBefore(job.updated_at, time));
    for (const { id } of old) this.#jobs.delete(id);
    return old.length;
  }
}
