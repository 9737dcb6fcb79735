import { defineEntity, p } from '@mikro-orm/core';
import type { FieldKind } from '../../../core/traces/catalogue/field-kinds.ts';
import {
  COMMON_FIELD_NAMES,
  type COMMON_FIELDS,
  type CommonField,
  commonField,
} from '../../../core/traces/catalogue/record-fields.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

type JsonMap = Record<string, unknown>;

/** The column of a field of each kind: null where a field may be missing, and where an empty list or map stands for nothing. */
const COLUMNS = {
  id: (isNullable) => (isNullable ? uuid().nullable() : uuid()),
  type: () => text(),
  text: (isNullable) => (isNullable ? text().nullable() : text()),
  timestamp: () => timestamp(),
  integer: () => p.integer().nullable(),
  number: () => p.double().nullable(),
  boolean: () => p.boolean(),
  texts: () => p.array().columnType('text[]').nullable(),
  payload: (isNullable) => (isNullable ? text().nullable() : text()),
  map: () => jsonb<JsonMap>().nullable(),
  objects: () => text().nullable(),
} satisfies Readonly<Record<FieldKind, (isNullable: boolean) => unknown>>;

const toColumn = (name: CommonField) => {
  const { kind, blank } = commonField(name);
  return COLUMNS[kind](blank === null);
};
type KeyField = 'project_id' | 'id' | 'run_id';
type DataField = Exclude<CommonField, KeyField>;
type FieldColumns = { readonly [F in DataField]: ReturnType<(typeof COLUMNS)[(typeof COMMON_FIELDS)[F]['kind']]> };
const KEY: readonly CommonField[] = ['project_id', 'id', 'run_id'] satisfies KeyField[];
const fields = Object.fromEntries(
  COMMON_FIELD_NAMES.filter((name) => !KEY.includes(name)).map((name) => [name, toColumn(name)]),
) as unknown as FieldColumns;

/**
 * Traces and spans. The table is described here so that migrations can be checked against it; records are written and
 * read by SQL alone. Sent texts are kept as they came: `payload_kinds` says which of the four are JSON text
 * (see `PAYLOAD_BITS`) and which are plain. Of content blocks, `input` and `output`
 * hold the text they are searched by, as plain text.
 */
export const RecordTable = defineEntity({
  name: 'RecordRow',
  tableName: 'records',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid().primary(),
    ...fields,
    is_trace: p.boolean(),
    /** Place in the batch it came by: keeps siblings that began in the same moment in the order they were sent. */
    position: p.integer(),
    payload_kinds: p.smallint(),
    duration_ns: p.bigint('string').nullable(),
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

export const traceTables = [RecordTable];
