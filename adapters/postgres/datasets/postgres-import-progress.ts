import type { ImportJob } from '../../../core/datasets/files/import-job.ts';
import type { ImportProgress } from '../../../core/datasets/files/import-progress.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson } from '../database/text-codec.ts';

/** Its session MUST be its own: that of the other stores would join the transaction in which an import stores its rows. */
export class PostgresImportProgress implements ImportProgress {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async start(job: ImportJob): Promise<void> {
    const rows = await this.#session.sql(
      'insert into import_jobs (id, updated_at, job) values ($1, $2, $3::jsonb) on conflict do nothing returning id',
      toValues(job),
    );
    if (rows.length === 0) throw new AppError('conflict', 'import_exists', `import ${job.id} exists`);
  }

  update(id: string, change: (job: ImportJob) => ImportJob): Promise<void> {
    return this.#session.run(async () => {
      const [row] = await this.#session.sql<{ job: unknown }>('select job from import_jobs where id = $1 for update', [id]);
      if (!row) return;
      const changed = change(decodeJson(row.job) as ImportJob);
      await this.#session.sql(
        'update import_jobs set updated_at = $2, job = $3::jsonb where id = $1',
        toValues({ ...changed, id }),
      );
    });
  }

  async find(id: string): Promise<ImportJob | undefined> {
    const [row] = await this.#session.sql<{ job: unknown }>('select job from import_jobs where id = $1', [id]);
    return row && (decodeJson(row.job) as ImportJob);
  }

  async forgetBefore(time: string): Promise<number> {
    return (await this.#session.sql('delete from import_jobs where updated_at < $1 returning id', [time])).length;
  }
}

const toValues = (job: ImportJob): unknown[] => [job.id, job.updated_at, JSON.stringify(encodeJson(job))];
