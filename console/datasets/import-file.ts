import type { Dataset } from '../../core/datasets/dataset.ts';
import type { ImportJob } from '../../core/datasets/files/import-job.ts';
import { get, post } from '../api/client.ts';
import { newId } from '../kit/new-id.ts';

export interface FileToImport {
  readonly file: File;
  /** Empty: as the file is called. */
  readonly name: string;
  readonly refused_rows: 'fail' | 'skip';
}

const LOOK_EVERY_MS = 400;

/**
 * Makes a dataset of a file and reports from time to time how far that is. Resolves with how it ended; rejects when it
 * ended before anything was read.
 */
export async function importFile(wanted: FileToImport, onStep: (job: ImportJob) => void): Promise<ImportJob> {
  const import_id = newId();
  const form = new FormData();
  if (wanted.name !== '') form.append('name', wanted.name);
  form.append('file', wanted.file);
  const query = { import_id, refused_rows: wanted.refused_rows };
  const jobNow = () => get<ImportJob>(`/datasets/imports/${import_id}`);
  // Known only once the file has arrived.
  const timer = setInterval(() => jobNow().then(onStep, () => undefined), LOOK_EVERY_MS);
  try {
    await post<Dataset>('/datasets', form, { query });
    return await jobNow();
  } catch (refusal) {
    const job = await jobNow().catch(() => undefined);
    if (job?.phase === 'failed') return job;
    throw refusal;
  } finally {
    clearInterval(timer);
  }
}

/** A dataset with columns and no rows. */
export async function makeEmptyDataset(name: string, columns: readonly string[]): Promise<Dataset> {
  const lists = JSON.stringify(Object.fromEntries(columns.map((column) => [column, []])));
  const form = new FormData();
  form.append('name', name);
  form.append('file', new File([lists], 'rows.json', { type: 'application/json' }));
  return post<Dataset>('/datasets', form, { query: { format: 'json' } });
}
