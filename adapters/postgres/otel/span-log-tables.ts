import { defineEntity, p } from '@mikro-orm/core';
import { text, timestamp, uuid } from '../database/columns.ts';

/** Log records of spans, on their way to the records of these; read and written by SQL alone. */
export const SpanLogTable = defineEntity({
  name: 'SpanLogRow',
  tableName: 'span_logs',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    span_id: uuid().primary(),
    id: uuid().primary(),
    place: text(),
    /** JSON, as text: nobody looks into it but who reads all of it. */
    log: text(),
    size: p.integer(),
    received_at: timestamp(),
  },
  indexes: [{ name: 'span_logs_received_index', properties: ['received_at'] }],
});

export const spanLogTables = [SpanLogTable];
