import { AppError } from '../../../core/kernel/errors.ts';
import type { UploadedFile } from '../route.ts';

/** The part `file` of a multipart body. Rejects with AppError `invalid` when there is none. */
export function requiredFile(file: UploadedFile | undefined): UploadedFile {
  if (file) return file;
  throw new AppError('invalid', 'file_missing', 'field required', {
    issues: [{ loc: ['body', 'file'], msg: 'field required', type: 'missing' }],
  });
}
