import { z } from 'zod';
import { Dataset } from '../../core/datasets/dataset.ts';
import type { DatasetFileService, WantedDataset } from '../../core/datasets/dataset-file-service.ts';
import { ClaimedFormat, WrittenFormat } from '../../core/datasets/files/file-format.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { Id, Name } from '../../core/kernel/text.ts';
import { DatasetPath } from './dataset-routes.ts';
import { Flag } from './query.ts';
import { fileRoute, type Route, route } from './route.ts';

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
const CreateQuery = z.object({ format: ClaimedFormat.optional(), hidden: Flag.optional() });
const DownloadQuery = z.object({ format: WrittenFormat.default('csv') });

export const datasetFileRoutes = ({ datasetFileService }: { datasetFileService: DatasetFileService }): Route[] => [
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
    response: Dataset,
    handle: async ({ caller, query, body, upload }) => {
      const wanted = wantedOf(body, query.hidden ?? false);
      const { copy_from_dataset_id: dataset_id, copy_from_dataset_version_index: version_index = null } = body;
      if (dataset_id !== undefined) return datasetFileService.createByCopy(caller, wanted, { dataset_id, version_index });
      if (!upload) throw fileMissing();
      const { file, filename: file_name } = upload;
      return datasetFileService.createFromFile(caller, wanted, { file, file_name, format: query.format });
    },
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

const wantedOf = (parts: z.output<typeof NewDatasetParts>, hidden: boolean): WantedDataset => ({
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
