import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import { toUtc } from '../../core/kernel/timestamp.ts';
import type { LogRecord, RecordType } from '../../core/traces/record.ts';
import { decodeJson, decodeText, encodeJson, mayNeedEscape } from './text-codec.ts';

const PAYLOADS = ['input', 'output', 'redacted_input', 'redacted_output'] as const;

/** Columns that come from a record, with their types, in the order of the insert statement. */
export const RECORD_COLUMNS = {
  project_id: 'uuid',
  id: 'uuid',
  run_id: 'uuid',
  trace_id: 'uuid',
  parent_id: 'uuid',
  session_id: 'uuid',
  type: 'text',
  is_trace: 'boolean',
  name: 'text',
  created_at: 'timestamptz',
  position: 'integer',
  input: 'text',
  output: 'text',
  redacted_input: 'text',
  redacted_output: 'text',
  payload_kinds: 'smallint',
  status_code: 'integer',
  duration_ns: 'bigint',
  step_number: 'integer',
  tags: 'text[]',
  external_id: 'text',
  is_complete: 'boolean',
  has_children: 'boolean',
  dataset_input: 'text',
  dataset_output: 'text',
  user_metadata: 'jsonb',
  dataset_metadata: 'jsonb',
  metrics: 'jsonb',
  attributes: 'jsonb',
} as const;

type Row = { readonly [C in keyof typeof RECORD_COLUMNS]: unknown };

/** One record as JSON text whose members are the columns; absent members are null. */
export function rowJson(record: LogRecord, position = 0): string {
  const row = { ...rowOf(record), position };
  const json = JSON.stringify(row);
  if (!mayNeedEscape(json)) return json;
  return JSON.stringify(encodeJson(row));
}

function rowOf(record: LogRecord): Partial<Row> {
  const { metrics, attributes, user_metadata, dataset_metadata, tags, updated_at: _clock, ...plain } = record;
  const { input, output, redacted_input, redacted_output, ...rest } = plain;
  return {
    ...rest,
    is_trace: record.type === 'trace',
    input: payloadColumn(input) ?? '',
    output: payloadColumn(output),
    redacted_input: payloadColumn(redacted_input),
    redacted_output: payloadColumn(redacted_output),
    payload_kinds: payloadKinds(record),
    duration_ns: typeof metrics.duration_ns === 'number' ? metrics.duration_ns : undefined,
    tags: tags.length > 0 ? tags : undefined,
    user_metadata: unlessEmpty(user_metadata),
    dataset_metadata: unlessEmpty(dataset_metadata),
    metrics: unlessEmpty(metrics),
    attributes: unlessEmpty(mapNested(attributes, JSON.stringify)),
  };
}

const payloadColumn = (value: JsonValue): string | undefined => {
  if (value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function payloadKinds(record: LogRecord): number {
  return PAYLOADS.reduce(
    (kinds, name, bit) => (typeof record[name] === 'object' && record[name] !== null ? kinds | (1 << bit) : kinds),
    0,
  );
}

const unlessEmpty = (value: JsonObject): JsonObject | undefined => {
  for (const _ in value) return value;
  return undefined;
};

/**
 * Attributes that are lists are kept as JSON text inside the column, as payloads are: a filter then sees the text that
 * was sent, where `jsonb` would space it and order its keys anew.
 */
const NESTED = ['tools', 'events'] as const;

function mapNested(attributes: JsonObject, change: (value: never) => JsonValue): JsonObject {
  const changed: Record<string, JsonValue> = { ...attributes };
  for (const name of NESTED) if (name in changed) changed[name] = change(changed[name] as never);
  return changed;
}

/** A row of `records` as the driver answers it. Timestamps come as text. */
export interface RecordRow extends Readonly<Record<keyof typeof RECORD_COLUMNS, unknown>> {
  readonly updated_at: string;
}

export function recordOf(row: RecordRow): LogRecord {
  const kinds = row.payload_kinds as number;
  const payload = (name: (typeof PAYLOADS)[number], bit: number): JsonValue => {
    const stored = row[name] as string | null;
    if (stored === null) return null;
    const text = decodeText(stored);
    return kinds & (1 << bit) ? (JSON.parse(text) as JsonValue) : text;
  };
  const text = (stored: unknown): string | null => (stored === null ? null : decodeText(stored as string));
  const json = (stored: unknown): JsonObject => (stored === null ? {} : (decodeJson(stored) as JsonObject));
  return {
    id: row.id as string,
    project_id: row.project_id as string,
    run_id: row.run_id as string,
    trace_id: row.trace_id as string,
    parent_id: row.parent_id as string | null,
    session_id: row.session_id as string,
    type: row.type as RecordType,
    name: decodeText(row.name as string),
    created_at: toUtc(row.created_at as string)!,
    updated_at: toUtc(row.updated_at)!,
    input: payload('input', 0),
    output: payload('output', 1),
    redacted_input: payload('redacted_input', 2),
    redacted_output: payload('redacted_output', 3),
    status_code: row.status_code as number | null,
    step_number: row.step_number as number | null,
    tags: ((row.tags as string[] | null) ?? []).map(decodeText),
    external_id: text(row.external_id),
    is_complete: row.is_complete as boolean,
    has_children: row.has_children as boolean,
    dataset_input: text(row.dataset_input),
    dataset_output: text(row.dataset_output),
    user_metadata: json(row.user_metadata),
    dataset_metadata: json(row.dataset_metadata),
    metrics: json(row.metrics),
    attributes: mapNested(json(row.attributes), JSON.parse),
  };
}
