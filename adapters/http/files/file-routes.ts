import { z } from 'zod';
import { isShownInPlace, SERVED_TYPES } from '../../../core/files/content-type.ts';
import { MAX_FILE_BYTES, ProjectFile } from '../../../core/files/file.ts';
import type { FileService } from '../../../core/files/file-service.ts';
import { FileUrl } from '../../../core/files/file-urls.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { cleanText, Id } from '../../../core/kernel/text.ts';
import { fileRoute, type Route, route, type UploadedFile } from '../route.ts';

const Upload = z.object({ upload_metadata: cleanText(0, 100_000) });
const DocumentedUpload = Upload.extend({ file: z.string().meta({ format: 'binary' }) });

/** A file that is opened in a tab of its own has no origin, runs nothing and loads nothing. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";
const CHUNK = 256 * 1024;

export const fileRoutes = ({ fileService }: { fileService: FileService }): Route[] => [
  route({
    method: 'post',
    path: '/v2/projects/{project_id}/upload_file',
    operationId: 'uploadProjectFile',
    summary: 'Keep a file of at most 25 MiB with a project. The same content is one file, whose id it gives.',
    tag: 'projects',
    params: z.object({ project_id: Id }),
    bodyFormat: 'multipart',
    maxBodyBytes: MAX_FILE_BYTES,
    body: Upload,
    documentedBody: DocumentedUpload,
    response: ProjectFile,
    handle: ({ caller, params, body, file }) =>
      fileService.uploadFile(caller, params.project_id, required(file), body.upload_metadata),
  }),
  route({
    method: 'get',
    path: '/v2/projects/{project_id}/files/{file_id}/url',
    operationId: 'getProjectFileUrl',
    summary: 'Where the content of a file is read: signed for a short time by its bucket where it is in one, else this service.',
    tag: 'projects',
    params: z.object({ project_id: Id, file_id: Id }),
    response: FileUrl,
    handle: ({ caller, params: { project_id, file_id } }) => fileService.getUrl(caller, project_id, file_id),
  }),
  fileRoute({
    method: 'get',
    path: '/v2/projects/{project_id}/files/{file_id}',
    operationId: 'getProjectFile',
    summary: 'The content of a file that was uploaded, or that came within a record. Its type is the one that its bytes have.',
    tag: 'projects',
    params: z.object({ project_id: Id, file_id: Id }),
    streams: SERVED_TYPES,
    handle: async ({ caller, params: { project_id, file_id }, res }) => {
      const { filename, content_type, bytes } = await fileService.readFile(caller, project_id, file_id);
      res.setHeader('Content-Security-Policy', SANDBOX);
      res.setHeader('Content-Length', bytes.byteLength);
      return { content_type, file_name: filename, isInline: isShownInPlace(content_type), chunks: inChunks(bytes) };
    },
  }),
];

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

function required(file: UploadedFile | undefined): UploadedFile {
  if (file) return file;
  const issues = [{ loc: ['body', 'file'], msg: 'field required', type: 'missing' }];
  throw new AppError('invalid', 'file_missing', 'the part `file` is missing', { issues });
}
