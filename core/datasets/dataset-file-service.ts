import type { AuditTrail } from '../access/audit-trail.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { type Dataset, datasetEvent, type NewDataset } from './dataset.ts';
import type { DatasetContentService } from './dataset-content-service.ts';
import type { CopiedVersion, DatasetCreationService } from './dataset-creation-service.ts';
import type { DatasetService } from './dataset-service.ts';
import type { ClaimedFormat, WrittenFormat } from './files/file-format.ts';
import { FILE_LIMITS } from './files/file-limits.ts';
import type { FileSource } from './files/file-source.ts';
import type { RowFileReader } from './files/row-file-reader.ts';
import { rowsAsFile } from './files/rows-as-file.ts';

export interface DatasetFileDeps {
  readonly datasetService: DatasetService;
  readonly datasetCreationService: DatasetCreationService;
  readonly datasetContentService: DatasetContentService;
  readonly rowFileReader: RowFileReader;
  readonly auditTrail: AuditTrail;
}

/** What a file brings: its bytes, what its sender says it is, and what its sender calls it. */
export interface SentFile {
  readonly file: FileSource;
  readonly file_name: string;
  readonly format: ClaimedFormat | undefined;
}

/** A dataset to be made; without a name it is called as its file, or as the dataset it is copied from. */
export type WantedDataset = Omit<NewDataset, 'name'> & { readonly name: string | undefined };

/** Datasets on their way in and out as files. */
export class DatasetFileService {
  readonly #deps: DatasetFileDeps;

  constructor(deps: DatasetFileDeps) {
    this.#deps = deps;
  }

  /** All rows of the file or nothing. Rejects with `invalid` as `RowFileReader.open` and its batches do. */
  async createFromFile(caller: Caller, wanted: WantedDataset, { file, file_name, format }: SentFile): Promise<Dataset> {
    const { datasetCreationService, rowFileReader } = this.#deps;
    const dataset = { ...wanted, name: wanted.name ?? nameOf(file_name) };
    await datasetCreationService.refuseCreation(caller, dataset);
    const how = { refused_rows: 'fail', formula_guards: 'keep', limits: FILE_LIMITS } as const;
    const rows = await rowFileReader.open(file, { format, file_name, ...how });
    return datasetCreationService.create(caller, dataset, rows);
  }

  /** Without a name the copy takes that of its source, with a suffix. */
  async createByCopy(caller: Caller, wanted: WantedDataset, from: CopiedVersion): Promise<Dataset> {
    const { datasetCreationService, datasetService } = this.#deps;
    if (wanted.name !== undefined) return datasetCreationService.copy(caller, { ...wanted, name: wanted.name }, from);
    const { name } = await datasetService.get(caller, from.dataset_id);
    return datasetCreationService.copy(caller, { ...wanted, name, append_suffix_if_duplicate: true }, from);
  }

  /** The current version, written as it is read. Cells of CSV that a spreadsheet would run are made harmless. */
  async download(caller: Caller, id: string, format: WrittenFormat) {
    const { datasetService, datasetContentService, auditTrail } = this.#deps;
    const { name } = await datasetService.get(caller, id);
    const { version, rows } = await datasetContentService.export(caller, id);
    await auditTrail.note(caller, datasetEvent('export', id, { version_index: version.version_index, format }));
    const { content_type, extension, chunks } = rowsAsFile(format, rows, { guard_formulas: true });
    return { content_type, file_name: `${name}.${extension}`, chunks };
  }
}

/** A file's name without its ending. */
function nameOf(file_name: string): string {
  const name = file_name.replace(/\.(csv|jsonl?|ndjson|parquet|feather)$/i, '').trim();
  if (name !== '') return name;
  const issues = [{ loc: ['body', 'name'], msg: 'field required', type: 'missing' }];
  throw new AppError('invalid', 'request_invalid', 'neither the dataset nor its file has a name', { issues });
}
