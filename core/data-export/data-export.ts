import { z } from 'zod';

/** Kinds of files that an export writes. */
export const EXPORT_KINDS = ['records', 'scores', 'ratings'] as const;
export const ExportKind = z.enum(EXPORT_KINDS);
export type ExportKind = z.output<typeof ExportKind>;

/** A file that was written. */
export const ExportedFile = z
  .object({
    key: z.string().meta({ description: 'Below the target.' }),
    num_rows: z.int(),
    num_bytes: z.int(),
    written_at: z.iso.datetime(),
  })
  .meta({ id: 'ExportedFile' });
export type ExportedFile = z.output<typeof ExportedFile>;

/** Settings and progress of the export of a project. */
export const DataExport = z
  .object({
    is_enabled: z.boolean(),
    content: z.array(ExportKind),
    target: z
      .string()
      .nullable()
      .meta({ description: 'Where the installation exports to, by `EXPORT_TO`; null: nowhere, so nothing can be enabled.' }),
    status: z.enum(['off', 'up_to_date', 'behind', 'failing']),
    lag_seconds: z
      .number()
      .nullable()
      .meta({ description: 'Age of the oldest change that is not exported yet; null where none waits.' }),
    num_waiting: z.int().meta({ description: 'Records whose changes are not exported yet; 100,000 where there are more.' }),
    num_files: z
      .int()
      .meta({ description: 'Files written so far; those that files of a day were put together into are not counted.' }),
    num_rows: z.int(),
    num_bytes: z.int(),
    last_file: ExportedFile.nullable(),
    failure: z
      .object({
        reason: z.string(),
        attempts: z.int().meta({ description: 'How often it failed in a row.' }),
        failing_since: z.iso.datetime(),
        next_attempt_at: z.iso.datetime(),
      })
      .nullable(),
  })
  .meta({ id: 'DataExport', description: 'Export of the records, scores and ratings of a project as Parquet files.' });
export type DataExport = z.output<typeof DataExport>;

export const DataExportUpdate = z
  .object({
    is_enabled: z.boolean(),
    content: z
      .array(ExportKind)
      .min(1)
      .max(EXPORT_KINDS.length)
      .refine((kinds) => new Set(kinds).size === kinds.length, { message: 'names a kind twice' })
      .default([...EXPORT_KINDS]),
  })
  .meta({ id: 'DataExportUpdate' });
export type DataExportUpdate = z.output<typeof DataExportUpdate>;
