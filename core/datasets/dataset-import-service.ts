import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock } from '../kernel/ports.ts';
import { Dataset, type NewDataset } from './dataset.ts';
import type { DatasetCreationService } from './dataset-creation-service.ts';
import type { ClaimedFormat } from './files/file-format.ts';
import { FILE_LIMITS } from './files/file-limits.ts';
import type { FileSource } from './files/file-source.ts';
import { advanced, asWatched, ended, type ImportJob, type ImportOutcome, startedImport } from './files/import-job.ts';
import type { ImportProgress } from './files/import-progress.ts';
import { ImportReport } from './files/import-report.ts';
import type { FileReading, ReadRequest, RowFileReader } from './files/row-file-reader.ts';
import { watchedReading } from './files/watched-reading.ts';

export interface DatasetImportDeps {
  readonly datasetCreationService: DatasetCreationService;
  readonly rowFileReader: RowFileReader;
  readonly importProgress: ImportProgress;
  readonly clock: Clock;
}

/** An uploaded file: its bytes, the sender's description of it, and the options for reading it. */
export interface SentFile extends Pick<ReadRequest, 'refused_rows' | 'formula_guards'> {
  readonly file: FileSource;
  readonly file_name: string;
  readonly format: ClaimedFormat | undefined;
  /** By which the import can be watched; undefined when nobody wants to. */
  readonly import_id: string | undefined;
}

/** A dataset to be made; without a name it is called as its file, or as the dataset it is copied from. */
export type WantedDataset = Omit<NewDataset, 'name'> & { readonly name: string | undefined };

/** A dataset just made; of a file it says what was understood of that. */
export const MadeDataset = Dataset.extend({ import_report: ImportReport.optional() }).meta({ id: 'MadeDataset' });
export type MadeDataset = z.output<typeof MadeDataset>;

const KEPT_MS = 24 * 60 * 60_000;

/** Datasets on their way in as files. */
export class DatasetImportService {
  readonly #deps: DatasetImportDeps;

  constructor(deps: DatasetImportDeps) {
    this.#deps = deps;
  }

  /**
   * All rows of the file that are to be taken, or nothing. Rejects with `invalid` as `RowFileReader.open` and its batches
   * do, with `conflict` when the import's id is taken.
   */
  async create(caller: Caller, wanted: WantedDataset, sent: SentFile): Promise<MadeDataset> {
    const dataset = { ...wanted, name: wanted.name ?? getName(sent.file_name) };
    await this.#deps.datasetCreationService.refuseCreation(caller, dataset);
    if (sent.import_id === undefined) return this.#import(caller, dataset, sent, (reading) => reading);
    return this.#watched(caller, dataset, sent, sent.import_id);
  }

  /** How far an import is; whoever started it sees it, for a day. */
  async watch(caller: Caller, import_id: string): Promise<ImportJob> {
    const job = await this.#deps.importProgress.find(import_id);
    if (job?.created_by !== caller.user_id)
      throw new AppError('not_found', 'import_not_found', `import ${import_id} does not exist`);
    return asWatched(job, this.#now());
  }

  /** Forgets imports that ended long ago. */
  async tidy(): Promise<void> {
    await this.#deps.importProgress.forgetBefore(new Date(this.#deps.clock().getTime() - KEPT_MS).toISOString());
  }

  async #watched(caller: Caller, dataset: NewDataset, sent: SentFile, id: string): Promise<MadeDataset> {
    const { importProgress: progress, clock } = this.#deps;
    const bytes_total = sent.file.size;
    const begun = { phase: 'reading', rows_read: 0, bytes_read: 0, bytes_total } as const;
    await progress.start(advanced(startedImport(id, caller.user_id, this.#now()), begun, this.#now()));
    const end = (outcome: ImportOutcome) => progress.update(id, (job) => ended(job, outcome, this.#now()));
    let reading: FileReading | undefined;
    try {
      const made = await this.#import(caller, dataset, sent, (opened) => {
        reading = opened;
        return watchedReading(opened, { id, bytes_total, progress, clock });
      });
      await end({ phase: 'finished', dataset_id: made.id, report: made.import_report! });
      return made;
    } catch (error) {
      await end({ phase: 'failed', error: toFailure(error), report: reading?.report() ?? null });
      throw error;
    }
  }

  async #import(
    caller: Caller,
    dataset: NewDataset,
    { file, file_name, format, refused_rows, formula_guards }: SentFile,
    watch: (reading: FileReading) => FileReading,
  ): Promise<MadeDataset> {
    const request = { format, file_name, refused_rows, formula_guards, limits: FILE_LIMITS };
    const reading = watch(await this.#deps.rowFileReader.open(file, request));
    const made = await this.#deps.datasetCreationService.create(caller, dataset, reading);
    return { ...made, import_report: reading.report() };
  }

  #now(): string {
    return this.#deps.clock().toISOString();
  }
}

const toFailure = (error: unknown): { code: string; message: string } =>
  error instanceof AppError
    ? { code: error.code, message: error.message }
    : { code: 'internal_error', message: 'the import failed' };

/** A file's name without its ending. */
function getName(file_name: string): string {
  const name = file_name.replace(/\.(csv|jsonl?|ndjson|parquet|feather)$/i, '').trim();
  if (name !== '') return name;
  const issues = [{ loc: ['body', 'name'], msg: 'field required', type: 'missing' }];
  throw new AppError('invalid', 'request_invalid', 'neither the dataset nor its file has a name', { issues });
}
