import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Caller } from '../access/caller.ts';
import { type Dataset, datasetEvent } from './dataset.ts';
import type { DatasetContentService } from './dataset-content-service.ts';
import type { CopiedVersion, DatasetCreationService } from './dataset-creation-service.ts';
import type { WantedDataset } from './dataset-import-service.ts';
import type { DatasetService } from './dataset-service.ts';
import type { WrittenFormat } from './files/file-format.ts';
import { rowsAsFile } from './files/rows-as-file.ts';

export interface DatasetFileDeps {
  readonly datasetService: DatasetService;
  readonly datasetCreationService: DatasetCreationService;
  readonly datasetContentService: DatasetContentService;
  readonly auditTrail: AuditTrail;
}

/** Datasets as copies of others, and on their way out as files. */
export class DatasetFileService {
  readonly #deps: DatasetFileDeps;

  constructor(deps: DatasetFileDeps) {
    this.#deps = deps;
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
