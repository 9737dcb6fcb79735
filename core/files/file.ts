import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { MAX_MEDIA_BYTES } from '../plugin-sdk/media-places.ts';
import { MODALITIES, type Modality } from '../plugin-sdk/modality.ts';

/** Largest file that is kept, uploaded or sent inline. */
export const MAX_FILE_BYTES = MAX_MEDIA_BYTES;

/** Reply to an upload. */
export const ProjectFile = z
  .object({ file_id: z.string(), filename: z.string(), content_type: z.string(), size_bytes: z.int() })
  .meta({ id: 'ProjectFile' });
export type ProjectFile = z.output<typeof ProjectFile>;

export interface FileKey {
  readonly project_id: string;
  readonly id: string;
}

/** Facts of a file as they are stored, beside its content. */
export interface StoredFile extends FileKey {
  readonly filename: string | null;
  /** Type of the bytes; what a sender claims counts for plain text alone. */
  readonly content_type: string;
  readonly modality: Modality;
  readonly size_bytes: number;
  /** Of the bytes, in hexadecimal digits; null for files from before it was kept. */
  readonly sha256: string | null;
  /** `failed`: there was no room for the content. */
  readonly status: 'complete' | 'failed';
  readonly upload_metadata: string | null;
  /** Null for a file that came within a record. */
  readonly created_by: string | null;
  readonly created_at: string;
}

/** A file as the record that names it shows it. */
export const FileView = z
  .object({
    file_id: z.string(),
    modality: z.enum(MODALITIES),
    source: z.enum(['direct_upload', 'external_files_api']),
    status: z.enum(['complete', 'failed', 'not_uploaded']),
    content_type: z.string().nullable(),
    size_bytes: z.int().nullable(),
    filename: z.string().nullable(),
    url: z.string().nullable(),
    url_expires_at: z.string().nullable(),
  })
  .meta({ id: 'RecordFile' });
export type FileView = z.output<typeof FileView>;

export const toFileView = ({ id, modality, status, content_type, size_bytes, filename }: StoredFile): FileView => ({
  file_id: id,
  modality,
  source: 'direct_upload',
  status,
  content_type,
  size_bytes,
  filename,
  url: null,
  url_expires_at: null,
});

/** A file that the record names and the project does not have: whoever sent it keeps it elsewhere. */
export const unknownFileView = (file_id: string): FileView => ({
  file_id,
  modality: 'document',
  source: 'external_files_api',
  status: 'not_uploaded',
  content_type: null,
  size_bytes: null,
  filename: null,
  url: null,
  url_expires_at: null,
});

export const fileNotFound = (id: string): AppError => new AppError('not_found', 'file_not_found', `file ${id} does not exist`);
