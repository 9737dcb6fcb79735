import { z } from 'zod';
import { isBefore } from '../../kernel/timestamp.ts';
import { ImportReport } from './import-report.ts';

/** In the order in which an import goes through them; it can fail in each of the first three. */
export const IMPORT_PHASES = ['receiving', 'reading', 'storing', 'finished', 'failed'] as const;
export const ImportPhase = z.enum(IMPORT_PHASES).meta({ id: 'DatasetImportPhase' });
export type ImportPhase = z.output<typeof ImportPhase>;

const Failure = z.object({ code: z.string(), message: z.string() });

/** An import as it can be watched. */
export const ImportJob = z
  .object({
    id: z.string(),
    created_by: z.string(),
    phase: ImportPhase,
    /** Null until the import has made the dataset. */
    dataset_id: z.string().nullable(),
    rows_read: z.int(),
    bytes_read: z.int(),
    /** Null as long as the size of the file is not known. */
    bytes_total: z.int().nullable(),
    started_at: z.string(),
    updated_at: z.string(),
    finished_at: z.string().nullable(),
    error: Failure.nullable(),
    /** Once it has ended, if the file could be read at all. */
    report: ImportReport.nullable(),
  })
  .meta({ id: 'DatasetImportJob' });
export type ImportJob = z.output<typeof ImportJob>;

export interface ImportStep {
  readonly phase: 'receiving' | 'reading' | 'storing';
  readonly rows_read: number;
  readonly bytes_read: number;
  readonly bytes_total: number | null;
}

export type ImportOutcome =
  | { readonly phase: 'finished'; readonly dataset_id: string; readonly report: ImportReport }
  | { readonly phase: 'failed'; readonly error: z.output<typeof Failure>; readonly report: ImportReport | null };

/** An import of which nothing was heard for so long has lost its process. */
const SILENT_MS = 2 * 60_000;

export const startedImport = (id: string, created_by: string, now: string): ImportJob => ({
  id,
  created_by,
  phase: 'receiving',
  dataset_id: null,
  rows_read: 0,
  bytes_read: 0,
  bytes_total: null,
  started_at: now,
  updated_at: now,
  finished_at: null,
  error: null,
  report: null,
});

/** The import a step further. One that has ended stays as it is; phases and counts never go back. */
export function advanced(job: ImportJob, step: ImportStep, now: string): ImportJob {
  if (job.finished_at !== null) return job;
  return {
    ...job,
    phase: IMPORT_PHASES.indexOf(step.phase) > IMPORT_PHASES.indexOf(job.phase) ? step.phase : job.phase,
    rows_read: Math.max(job.rows_read, step.rows_read),
    bytes_read: Math.max(job.bytes_read, step.bytes_read),
    bytes_total: step.bytes_total ?? job.bytes_total,
    updated_at: isBefore(job.updated_at, now) ? now : job.updated_at,
  };
}

/** The import at its end. The first end is the one that counts. */
export function ended(job: ImportJob, outcome: ImportOutcome, now: string): ImportJob {
  if (job.finished_at !== null) return job;
  const { phase, report } = outcome;
  const counts = report ? { rows_read: report.rows_read, bytes_read: report.bytes_read } : {};
  const result = outcome.phase === 'finished' ? { dataset_id: outcome.dataset_id } : { error: outcome.error };
  return { ...job, ...counts, ...result, phase, report, updated_at: now, finished_at: now };
}

/** Returns an import as its watchers see it: one without progress for too long has failed, whoever was to end it. */
export function asWatched(job: ImportJob, now: string): ImportJob {
  if (job.finished_at !== null || Date.parse(now) - Date.parse(job.updated_at) < SILENT_MS) return job;
  const error = { code: 'import_interrupted', message: 'the import was interrupted, and nothing of it was kept' };
  return { ...job, phase: 'failed', error, finished_at: job.updated_at };
}
