import { defineEntity } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../../database/columns.ts';

/** Batches that came with a key; read and written by SQL alone. */
export const IngestBatchTable = defineEntity({
  name: 'IngestBatchRow',
  tableName: 'ingest_batches',
  properties: {
    project_id: uuid().primary(),
    key: text().primary(),
    digest: text(),
    received_at: timestamp(),
    /** Of the claim that holds; null when it was given up. */
    claimed_at: timestamp().nullable(),
    stored_at: timestamp().nullable(),
    /** JSON, as text: nobody looks into it but who reads all of it. */
    reply: text().nullable(),
  },
  indexes: [{ name: 'ingest_batches_received_index', properties: ['received_at'] }],
});

export const ingestBatchTables = [IngestBatchTable];
