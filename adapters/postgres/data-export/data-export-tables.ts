import { defineEntity, p } from '@mikro-orm/core';
import type { ExportedFile, ExportKind } from '../../../core/data-export/data-export.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Settings and progress of the export of a project. It outlives the project until its files are removed. */
export const DataExportTable = defineEntity({
  name: 'DataExportRow',
  tableName: 'data_exports',
  properties: {
    project_id: uuid().primary(),
    is_enabled: p.boolean(),
    is_removed: p.boolean().default(false),
    content: jsonb<readonly ExportKind[]>(),
    target: text().nullable(),
    /** Where the walk over what stood before has come to; null: at its end. */
    walk: jsonb<ExportWalk>().nullable(),
    /** Number of the newest files. */
    sequence: p.bigint('string').defaultRaw('0'),
    /** Day of the files that somebody has begun with. */
    planned_day: p.date().$type<string>().nullable(),
    attempt: p.bigint('string').defaultRaw('0'),
    claimed_until: timestamp().nullable(),
    due_at: timestamp(),
    failures: p.integer().default(0),
    failure: text().nullable(),
    failing_since: timestamp().nullable(),
    num_files: p.bigint('string').defaultRaw('0'),
    num_rows: p.bigint('string').defaultRaw('0'),
    num_bytes: p.bigint('string').defaultRaw('0'),
    last_file: jsonb<ExportedFile>().nullable(),
  },
  indexes: [{ name: 'data_exports_due_index', properties: ['due_at'], where: 'is_enabled or is_removed' }],
});

/** First over what was exported before, then over all records, then over sessions. */
export interface ExportWalk {
  readonly of: 'exported' | 'records' | 'sessions';
  readonly record_id: string;
  readonly run_id: string;
}

/** Records whose files of a day have to be looked at. */
export const ExportChangeTable = defineEntity({
  name: 'ExportChangeRow',
  tableName: 'export_changes',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    day: p.date().$type<string>().primary(),
    /** Another one for each change. */
    sequence: p.bigint('string').autoincrement(),
    noted_at: timestamp().defaultRaw('now()'),
  },
  indexes: [
    { name: 'export_changes_sequence_index', properties: ['project_id', 'sequence'] },
    { name: 'export_changes_day_index', properties: ['project_id', 'day'] },
  ],
});

/** Contents of the files of a day as far as a record goes, as digests. */
export const ExportedRecordTable = defineEntity({
  name: 'ExportedRecordRow',
  tableName: 'exported_records',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    day: p.date().$type<string>().primary(),
    version: text().nullable(),
    /** By scorer version, and by the key of a rating; null: none. */
    scores: jsonb<Readonly<Record<string, string>>>().nullable(),
    session_scores: jsonb<Readonly<Record<string, string>>>().nullable(),
    ratings: jsonb<Readonly<Record<string, string>>>().nullable(),
  },
  indexes: [{ name: 'exported_records_run_index', properties: ['project_id', 'run_id'] }],
});

/** Days whose files are to be put together. */
export const ExportedDayTable = defineEntity({
  name: 'ExportedDayRow',
  tableName: 'exported_days',
  properties: {
    project_id: uuid().primary(),
    day: p.date().$type<string>().primary(),
    due_at: timestamp(),
    /** When the files that were put together may go. */
    remove_at: timestamp().nullable(),
  },
});

export const dataExportTables = [DataExportTable, ExportChangeTable, ExportedRecordTable, ExportedDayTable];
