import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { RecordType } from '../../../core/traces/catalogue/span-types.ts';
import { payloadText } from '../../../core/traces/columns/column.ts';
import { isContentBlocks } from '../../../core/traces/content-blocks.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { decodeText, encodeJson, mayNeedEscape, readJson } from '../database/text-codec.ts';

const PAYLOADS = ['input', 'output', 'redacted_input', 'redacted_output'] as const;
type Payload = (typeof PAYLOADS)[number];

/** What a column of each type is given. */
export interface ColumnValues {
  readonly uuid: string | null;
  readonly text: string | null;
  readonly boolean: boolean;
  readonly timestamptz: string;
  readonly integer: number | null;
  readonly smallint: number;
  readonly bigint: number | null;
  readonly 'text[]': readonly string[] | null;
  readonly jsonb: JsonObject | null;
}
export type ColumnType = keyof ColumnValues;

/** A column that comes from a record; `position` is the record's place in its batch. */
export type Column<T extends ColumnType = ColumnType> = {
  [K in T]: { readonly type: K; readonly of: (record: LogRecord, position: number) => ColumnValues[K] };
}[T];

const column = <T extends ColumnType>(type: T, of: (record: LogRecord, position: number) => ColumnValues[T]) => ({ type, of });

/** In the order of the insert statement and of the type `incoming_record`. */
const COLUMNS = {
  project_id: column('uuid', (record) => record.project_id),
  id: column('uuid', (record) => record.id),
  run_id: column('uuid', (record) => record.run_id),
  trace_id: column('uuid', (record) => record.trace_id),
  parent_id: column('uuid', (record) => record.parent_id),
  session_id: column('uuid', (record) => record.session_id),
  type: column('text', (record) => record.type),
  is_trace: column('boolean', (record) => record.type === 'trace'),
  name: column('text', (record) => record.name),
  created_at: column('timestamptz', (record) => record.created_at),
  position: column('integer', (_, position) => position),
  input: column('text', (record) => payloadText(record.input) ?? ''),
  output: column('text', (record) => payloadText(record.output)),
  redacted_input: column('text', (record) => jsonText(record.redacted_input)),
  redacted_output: column('text', (record) => jsonText(record.redacted_output)),
  payload_kinds: column('smallint', (record) => payloadKinds(record)),
  status_code: column('integer', (record) => record.status_code),
  duration_ns: column('bigint', ({ metrics }) => (typeof metrics.duration_ns === 'number' ? metrics.duration_ns : null)),
  step_number: column('integer', (record) => record.step_number),
  tags: column('text[]', ({ tags }) => (tags.length > 0 ? tags : null)),
  external_id: column('text', (record) => record.external_id),
  is_complete: column('boolean', (record) => record.is_complete),
  has_children: column('boolean', (record) => record.has_children),
  dataset_input: column('text', (record) => record.dataset_input),
  dataset_output: column('text', (record) => record.dataset_output),
  user_metadata: column('jsonb', (record) => unlessEmpty(record.user_metadata)),
  dataset_metadata: column('jsonb', (record) => unlessEmpty(record.dataset_metadata)),
  metrics: column('jsonb', (record) => unlessEmpty(record.metrics)),
  attributes: column('jsonb', (record) => unlessEmpty(mapNested(record.attributes, JSON.stringify))),
  content_blocks: column('text', (record) => blocksColumn(record)),
};

export type ColumnName = keyof typeof COLUMNS;
export const RECORD_COLUMNS: Readonly<Record<ColumnName, Column>> = COLUMNS;

/** One record as JSON text whose members are the columns. */
export function rowJson(record: LogRecord, position = 0): string {
  const row = Object.fromEntries(Object.entries(RECORD_COLUMNS).map(([name, { of }]) => [name, of(record, position)]));
  const json = JSON.stringify(row);
  return mayNeedEscape(json) ? JSON.stringify(encodeJson(row)) : json;
}

const jsonText = (value: JsonValue): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);

function payloadKinds(record: LogRecord): number {
  let kinds = 0;
  for (let bit = 0; bit < PAYLOADS.length; bit += 1) {
    const name = PAYLOADS[bit]!;
    const value = record[name];
    if (typeof value === 'object' && value !== null && !isKeptAsBlocks(name, value)) kinds |= 1 << bit;
  }
  return kinds;
}

/** Content blocks of input and output, whose own columns hold the text that is searched. */
const isKeptAsBlocks = (name: Payload, value: JsonValue): boolean =>
  (name === 'input' || name === 'output') && isContentBlocks(value);

function blocksColumn({ input, output }: LogRecord): string | null {
  const blocks = { ...(isContentBlocks(input) && { input }), ...(isContentBlocks(output) && { output }) };
  return unlessEmpty(blocks) && JSON.stringify(blocks);
}

const unlessEmpty = (value: JsonObject): JsonObject | null => {
  for (const _ in value) return value;
  return null;
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

/** A row of `records` as `SELECT_RECORD` reads it. Timestamps and JSON come as text. */
export interface RecordRow extends Readonly<Record<ColumnName, unknown>> {
  readonly updated_at: string;
}

type Blocks = Readonly<Partial<Record<'input' | 'output', JsonValue>>>;

/** The content blocks that are stored of a record. */
export const toContentBlocks = (stored: unknown): Blocks =>
  stored === null ? NO_BLOCKS : (JSON.parse(decodeText(stored as string)) as Blocks);
const NO_BLOCKS: Blocks = {};

/** What a record was given or answered, from the text that is stored of it; of content blocks that text. */
export function toStoredPayload<P extends Payload>(
  row: { readonly [Name in P]: unknown } & { readonly payload_kinds: unknown },
  name: P,
): JsonValue {
  const stored = row[name] as string | null;
  if (stored === null) return null;
  const text = decodeText(stored);
  return (row.payload_kinds as number) & (1 << PAYLOADS.indexOf(name)) ? (JSON.parse(text) as JsonValue) : text;
}

export function toRecord(row: RecordRow): LogRecord {
  const text = (stored: unknown): string | null => (stored === null ? null : decodeText(stored as string));
  const json = (stored: unknown): JsonObject => (stored === null ? {} : (readJson(stored as string) as JsonObject));
  const blocks = toContentBlocks(row.content_blocks);
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
    input: row.input === null ? null : (blocks.input ?? toStoredPayload(row, 'input')),
    output: row.output === null ? null : (blocks.output ?? toStoredPayload(row, 'output')),
    redacted_input: toStoredPayload(row, 'redacted_input'),
    redacted_output: toStoredPayload(row, 'redacted_output'),
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
