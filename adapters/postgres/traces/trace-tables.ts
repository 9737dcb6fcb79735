import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

type JsonMap = Record<string, unknown>;

/**
 * Traces and spans. The table is described here so that migrations can be checked against it; records are written and
 * read by SQL alone. Sent texts are kept as they came: `payload_kinds` says which of the four are JSON text
 * (bit 0 input, 1 output, 2 redacted_input, 3 redacted_output) and which are plain. Of content blocks, `input` and `output`
 * hold the text they are searched by, as plain text.
 */
export const RecordTable = defineEntity({
  name: 'RecordRow',
  tableName: 'records',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid().primary(),
    trace_id: uuid(),
    parent_id: uuid().nullable(),
    session_id: uuid(),
    type: text(),
    is_trace: p.boolean(),
    name: text(),
    created_at: timestamp(),
    /** Place in the batch it came by: keeps siblings that began in the same moment in the order they were sent. */
    position: p.integer(),
    updated_at: timestamp(),
    input: text(),
    output: text().nullable(),
    redacted_input: text().nullable(),
    redacted_output: text().nullable(),
    payload_kinds: p.smallint(),
    status_code: p.integer().nullable(),
    duration_ns: p.bigint('string').nullable(),
    step_number: p.integer().nullable(),
    tags: p.array().columnType('text[]').nullable(),
    external_id: text().nullable(),
    is_complete: p.boolean(),
    has_children: p.boolean(),
    dataset_input: text().nullable(),
    dataset_output: text().nullable(),
    user_metadata: jsonb<JsonMap>().nullable(),
    dataset_metadata: jsonb<JsonMap>().nullable(),
    metrics: jsonb<JsonMap>().nullable(),
    /** Fields that only one type of record has. */
    attributes: jsonb<JsonMap>().nullable(),
    /** JSON text of `{input, output}`: those of them that came as content blocks. */
    content_blocks: text().nullable(),
  },
  indexes: [
    { name: 'records_newest_index', properties: ['project_id', 'run_id', 'is_trace', 'created_at', 'id'] },
    { name: 'records_trace_index', properties: ['project_id', 'trace_id'] },
    // Every trace is in one of the two: members of a session by session, and sessions that are one trace by time.
    {
      name: 'records_session_index',
      properties: ['project_id', 'run_id', 'session_id', 'created_at', 'id'],
      where: 'is_trace and session_id <> id',
    },
    {
      name: 'records_own_session_index',
      properties: ['project_id', 'run_id', 'created_at', 'id'],
      where: 'is_trace and session_id = id',
    },
    // For those that nobody completes.
    { name: 'records_incomplete_index', properties: ['project_id', 'updated_at'], where: 'is_trace and not is_complete' },
  ],
});
