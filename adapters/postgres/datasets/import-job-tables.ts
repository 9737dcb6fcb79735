import { defineEntity } from '@mikro-orm/core';
import type { ImportJob } from '../../../core/datasets/files/import-job.ts';
import { jsonb, timestamp, uuid } from '../database/columns.ts';

/** Imports that run, and those that ended lately. Texts are encoded as those of records. */
export const ImportJobTable = defineEntity({
  name: 'ImportJobRow',
  tableName: 'import_jobs',
  properties: {
    id: uuid().primary(),
    updated_at: timestamp().index('import_jobs_updated_at_index'),
    job: jsonb<ImportJob>(),
  },
});

export const importJobTables = [ImportJobTable];
