import type { Request, Response } from 'express';
import multer from 'multer';
import { AppError } from '../../core/kernel/errors.ts';
import type { UploadedFile } from './route.ts';
import { inTime } from './slow-body.ts';

const MAX_FILENAME_CHARS = 200;
const MEBIBYTE = 1024 * 1024;
const MAX_FIELDS = 20;
/** Text parts and what separates the parts. */
export const MAX_BYTES_BESIDE_FILE = (MAX_FIELDS + 1) * MEBIBYTE;

const codes: Readonly<Record<string, string>> = {
  LIMIT_FILE_SIZE: 'file_too_large',
  LIMIT_UNEXPECTED_FILE: 'part_unexpected',
};

export interface MultipartBody {
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly file: UploadedFile | undefined;
}

/**
 * Reads a multipart body: text parts and at most one part `file`, all in memory. Whatever goes wrong here is the
 * sender's doing, so every error of this stage is a 4xx.
 */
export async function readMultipart(req: Request, res: Response, maxFileBytes: number): Promise<MultipartBody> {
  const upload = multer({
    storage: multer.memoryStorage(),
    limits: {
      fileSize: maxFileBytes,
      files: 1,
      fields: MAX_FIELDS,
      parts: MAX_FIELDS + 2,
      fieldSize: MEBIBYTE,
      fieldNameSize: 100,
      headerPairs: 50,
    },
  }).single('file');
  const parsed = () =>
    new Promise<void>((resolve, reject) => {
      upload(req, res, (error: unknown) => (error ? reject(asAppError(error, maxFileBytes)) : resolve()));
    });
  await inTime(req, parsed);
  return { fields: plainFields(req.body as Record<string, unknown> | undefined), file: fileOf(req.file) };
}

function asAppError(error: unknown, maxFileBytes: number): AppError {
  const code = (error as { code?: string }).code ?? '';
  if (code === 'LIMIT_FILE_SIZE')
    return new AppError('too_large', 'file_too_large', `the file is larger than ${maxFileBytes} bytes`);
  const msg = error instanceof Error ? error.message.slice(0, 200) : 'the multipart body is malformed';
  const type = codes[code] ?? 'multipart_invalid';
  return new AppError('invalid', 'multipart_invalid', msg, { issues: [{ loc: ['body'], msg, type }], cause: error });
}

/** Named fields only: bracketed names would be turned into nested or sparse structures. */
function plainFields(body: Record<string, unknown> | undefined): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of Object.entries(body ?? {})) {
    const plain = typeof value === 'string' || isShortListOfTexts(value);
    if (!plain || name.includes('[') || name === '__proto__') {
      throw new AppError('invalid', 'multipart_invalid', 'field names are flat', {
        issues: [{ loc: ['body', name.slice(0, 100)], msg: 'field names are flat', type: 'part_unexpected' }],
      });
    }
    fields[name] = value as string | string[];
  }
  return fields;
}

/** The length is asked first: a field `a[999999999]` has become a list of that length, which takes half a minute to walk. */
const isShortListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_FIELDS && value.every((item) => typeof item === 'string');

function fileOf(file: Express.Multer.File | undefined): UploadedFile | undefined {
  if (!file) return undefined;
  return {
    filename: file.originalname.slice(0, MAX_FILENAME_CHARS),
    content_type: file.mimetype.slice(0, MAX_FILENAME_CHARS),
    bytes: file.buffer,
  };
}
