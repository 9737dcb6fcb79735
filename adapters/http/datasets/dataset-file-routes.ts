import { z } from 'zod';
import type { DatasetFileService } from '../../../core/datasets/dataset-file-service.ts';
import { type DatasetImportService, MadeDataset, type WantedDataset } from '../../../core/datasets/dataset-import-service.ts';
import { ClaimedFormat, WrittenFormat } from '../../../core/datasets/files/file-format.ts';
import { ImportJob } from '../../../core/datasets/files/import-job.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { Id, Name } from '../../../core/kernel/text.ts';
import { Flag } from '../query.ts';
import { fileRoute, type Route, route } from '../route.ts';
import { DatasetPath } from './dataset-routes.ts';

const MAX_FILE_BYTES = 250 * 1024 * 1024;

/** Text parts of a form: an empty one stands for none. */
const part = <S extends z.ZodType>(schema: S) => z.preprocess((text) => (text === '' ? undefined : text), schema.optional());

const NewDatasetParts = z.object({
  name: part(Name),
  draft: part(Flag),
  hidden: part(Flag),
  append_suffix_if_duplicate: part(Flag),
  copy_from_dataset_id: part(Id),
  copy_from_dataset_version_index: part(z.coerce.number().int().min(1).max(2_147_483_647)),
  project_id: part(Id),
});
const DocumentedParts = z.object({
  name: z.string().optional(),
  file: z.string().meta({ format: 'binary' }).optional(),
  draft: z.enum(['true', 'false']).optional(),
  hidden: z.enum(['true', 'false']).optional(),
  append_suffix_if_duplicate: z.enum(['true', 'false']).optional(),
  copy_from_dataset_id: Id.optional(),
  copy_from_dataset_version_index: z.string().optional(),
  project_id: Id.optional(),
});
const CreateQuery = z.object({
  format: ClaimedFormat.optional(),
  hidden: Flag.optional(),
  /** `skip` takes the rows that can be taken; `fail` all or none. */
  refused_rows: z.enum(['fail', 'skip']).default('fail'),
  /** `undo` takes off the apostrophes that downloads put before what a spreadsheet would run. */
  formula_guards: z.enum(['keep', 'undo']).default('keep'),
  /** An id of the caller's making, to watch the import by. */
  import_id: Id.optional(),
});
const DownloadQuery = z.object({ format: WrittenFormat.default('csv') });

interface Services {
  readonly datasetFileService: DatasetFileService;
  readonly datasetImportService: DatasetImportService;
}

export const datasetFileRoutes = ({ datasetFileService, datasetImportService }: Services): Route[] => [
  route({
    method: 'post',
    path: '/v2/datasets',
    operationId: 'createDataset',
    summary: 'Make a dataset from a file (CSV, JSON lines, JSON, Parquet) or as a copy of another one.',
    tag: 'datasets',
    bodyFormat: 'multipart_stream',
    maxBodyBytes: MAX_FILE_BYTES,
    query: CreateQuery,
    body: NewDatasetParts,
    documentedBody: DocumentedParts,
    response: MadeDataset,
    handle: async ({ caller, query, body, upload }) => {
      const wanted = toWantedDataset(body, query.hidden ?? false);
      const { copy_from_dataset_id: dataset_id, copy_from_dataset_version_index: version_index = null } = body;
      if (dataset_id !== undefined) return datasetFileService.createByCopy(caller, wanted, { dataset_id, version_index });
      if (!upload) throw fileMissing();
      const { file, filename: file_name } = upload;
      const { format, refused_rows, formula_guards, import_id } = query;
      const sent = { file, file_name, format, refused_rows, formula_guards, import_id };
      return datasetImportService.create(caller, wanted, sent);
    },
  }),
  route({
    method: 'get',
    path: '/v2/datasets/imports/{import_id}',
    operationId: 'getDatasetImport',
    summary: 'How far an import is, and what was understood of its file; known once the file has arrived, for a day.',
    tag: 'datasets',
    params: z.object({ import_id: Id }),
    response: ImportJob,
    handle: ({ caller, params }) => datasetImportService.watch(caller, params.import_id),
  }),
  fileRoute({
    method: 'get',
    path: '/v2/datasets/{dataset_id}/download',
    operationId: 'downloadDataset',
    summary: 'The current version as a file; JSON and JSON lines give every value back exactly.',
    tag: 'datasets',
    streams: ['text/csv', 'application/x-ndjson', 'application/json'],
    params: DatasetPath,
    query: DownloadQuery,
    handle: ({ caller, params, query }) => datasetFileService.download(caller, params.dataset_id, query.format),
  }),
];

const toWantedDataset = (parts: z.output<typeof NewDatasetParts>, hidden: boolean): WantedDataset => ({
  name: parts.name,
  draft: parts.draft ?? false,
  hidden: parts.hidden ?? hidden,
  append_suffix_if_duplicate: parts.append_suffix_if_duplicate ?? false,
  project_id: parts.project_id ?? null,
});

function fileMissing(): AppError {
  const issues = [{ loc: ['body', 'file'], msg: 'field required', type: 'missing' }];
  return new AppError('invalid', 'file_missing', 'the part `file` is missing', { issues });
}
