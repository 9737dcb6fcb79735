import { defineEntity, p } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../database/columns.ts';

/** Files of projects; read and written by SQL alone. */
export const FileTable = defineEntity({
  name: 'FileRow',
  tableName: 'files',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    filename: text().nullable(),
    content_type: text(),
    modality: text(),
    size_bytes: p.integer(),
    sha256: text().nullable(),
    status: text(),
    upload_metadata: text().nullable(),
    created_by: uuid().nullable(),
    created_at: timestamp(),
  },
});

/** Their bytes, where the database keeps them. */
export const FileContentTable = defineEntity({
  name: 'FileContentRow',
  tableName: 'file_contents',
  properties: { project_id: uuid().primary(), file_id: uuid().primary(), content: p.blob() },
});

/** Which records name which files. */
export const RecordFileTable = defineEntity({
  name: 'RecordFileRow',
  tableName: 'record_files',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    file_id: uuid().primary(),
  },
  indexes: [{ name: 'record_files_file_index', properties: ['project_id', 'file_id'] }],
});

/** Files that a record has left: they are removed soon, unless another one names them. */
export const LeftFileTable = defineEntity({
  name: 'LeftFileRow',
  tableName: 'left_files',
  properties: { project_id: uuid().primary(), file_id: uuid().primary() },
});

/** Content that may be outside of the database without the facts of its file. */
export const FilePutTable = defineEntity({
  name: 'FilePutRow',
  tableName: 'file_puts',
  properties: { project_id: uuid().primary(), file_id: uuid().primary(), noted_at: timestamp() },
  indexes: [{ name: 'file_puts_noted_at_index', properties: ['noted_at'] }],
});

/** Sums of the sizes of the files of projects. */
export const FileTotalTable = defineEntity({
  name: 'FileTotalRow',
  tableName: 'file_totals',
  properties: { project_id: uuid().primary(), size_bytes: p.bigint() },
});

export const fileTables = [FileTable, FileContentTable, RecordFileTable, LeftFileTable, FilePutTable, FileTotalTable];
