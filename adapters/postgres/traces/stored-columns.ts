import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import type { FieldKind } from '../../../core/traces/catalogue/field-kinds.ts';
import {
  blankOf,
  COMMON_FIELD_NAMES,
  type CommonField,
  commonField,
  OWN_FIELD_NAMES,
  ownField,
  PAYLOAD_FIELDS,
  type PayloadField,
} from '../../../core/traces/catalogue/record-fields.ts';
import { knownFirst } from '../../../core/traces/catalogue/span-types.ts';
import { payloadText } from '../../../core/traces/columns/column.ts';
import { isContentBlocks } from '../../../core/traces/content-blocks.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { encodeJson, mayNeedEscape } from '../database/text-codec.ts';

/**
 * Which of the payloads are stored as JSON text, as bits of `payload_kinds`. They are stored: a bit keeps its meaning for
 * ever, and a new payload takes the next one.
 */
export const PAYLOAD_BITS = {
  input: 1,
  output: 2,
  redacted_input: 4,
  redacted_output: 8,
} as const satisfies Readonly<Record<PayloadField, number>>;

/** Type of the value of each type of column. */
export interface ColumnValues {
  readonly uuid: string | null;
  readonly text: string | null;
  readonly boolean: boolean;
  readonly timestamptz: string;
  readonly integer: number | null;
  readonly smallint: number;
  readonly bigint: number | null;
  readonly 'double precision': number | null;
  readonly 'text[]': readonly string[] | null;
  readonly jsonb: JsonObject | null;
}
export type ColumnType = keyof ColumnValues;

/** A column that comes from a record; `position` is the record's place in its batch. */
export type Column<T extends ColumnType = ColumnType> = {
  [K in T]: { readonly type: K; readonly of: (record: LogRecord, position: number) => ColumnValues[K] };
}[T];

const column = <T extends ColumnType>(type: T, of: (record: LogRecord, position: number) => ColumnValues[T]) => ({ type, of });

/** How a field of each kind is stored in a column of its own. */
const STORED: { readonly [K in FieldKind]: (name: CommonField) => Column } = {
  id: (name) => column('uuid', (record) => record[name] as string | null),
  type: (name) => column('text', (record) => record[name] as string),
  text: (name) => column('text', (record) => record[name] as string | null),
  timestamp: (name) => column('timestamptz', (record) => record[name] as string),
  integer: (name) => column('integer', (record) => record[name] as number | null),
  number: (name) => column('double precision', (record) => record[name] as number | null),
  boolean: (name) => column('boolean', (record) => record[name] as boolean),
  texts: (name) => column('text[]', (record) => unlessNone(record[name] as readonly string[])),
  payload: (name) => {
    const blank = blankOf(name) as string | null;
    return column('text', (record) => jsonText(record[name] as JsonValue) ?? blank);
  },
  map: (name) => column('jsonb', (record) => unlessEmpty(record[name] as JsonObject)),
  objects: (name) => column('text', (record) => jsonText(record[name] as JsonValue)),
};

/** Columns that are made of a record, in place of or beside those of its fields. */
const MADE = {
  is_trace: column('boolean', (record) => record.type === 'trace'),
  position: column('integer', (_, position) => position),
  /** Of content blocks the text that is searched. */
  input: column('text', (record) => payloadText(record.input) ?? ''),
  output: column('text', (record) => payloadText(record.output)),
  payload_kinds: column('smallint', (record) => payloadKinds(record)),
  duration_ns: column('bigint', ({ metrics }) => (typeof metrics.duration_ns === 'number' ? metrics.duration_ns : null)),
  attributes: column('jsonb', (record) => unlessEmpty(mapNested(record.attributes, JSON.stringify))),
  content_blocks: column('text', (record) => blocksColumn(record)),
};

/** The database says when a record was written. */
type StoredField = Exclude<CommonField, 'updated_at'>;
const storedFields = COMMON_FIELD_NAMES.filter((name): name is StoredField => name !== 'updated_at');

export type ColumnName = StoredField | keyof typeof MADE;
const columns: Readonly<Record<string, Column>> = {
  ...Object.fromEntries(storedFields.map((name) => [name, STORED[commonField(name).kind](name)])),
  ...MADE,
};

/** The order of the type `incoming_record`, whose values name no members: it grows at its end alone. */
const STORED_ORDER: readonly ColumnName[] = [
  ...(['project_id', 'id', 'run_id', 'trace_id', 'parent_id', 'session_id', 'type', 'is_trace', 'name', 'created_at'] as const),
  ...(['position', 'input', 'output', 'redacted_input', 'redacted_output', 'payload_kinds', 'status_code'] as const),
  ...(['duration_ns', 'step_number', 'tags', 'external_id', 'is_complete', 'has_children', 'dataset_input'] as const),
  ...(['dataset_output', 'user_metadata', 'dataset_metadata', 'metrics', 'attributes', 'content_blocks'] as const),
];
const names = knownFirst<ColumnName>(STORED_ORDER, Object.keys(columns) as ColumnName[]);

export const RECORD_COLUMNS = Object.fromEntries(names.map((name) => [name, columns[name]!])) as Readonly<
  Record<ColumnName, Column>
>;

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
  for (const name of PAYLOAD_FIELDS) {
    const value = record[name];
    if (typeof value === 'object' && value !== null && !isKeptAsBlocks(name, value)) kinds |= PAYLOAD_BITS[name];
  }
  return kinds;
}

/** Content blocks of input and output, whose own columns hold the text that is searched. */
const isKeptAsBlocks = (name: PayloadField, value: JsonValue): boolean =>
  (name === 'input' || name === 'output') && isContentBlocks(value);

function blocksColumn({ input, output }: LogRecord): string | null {
  const blocks = { ...(isContentBlocks(input) && { input }), ...(isContentBlocks(output) && { output }) };
  return unlessEmpty(blocks) && JSON.stringify(blocks);
}

const unlessNone = (values: readonly string[]): readonly string[] | null => (values.length > 0 ? values : null);

const unlessEmpty = (value: JsonObject): JsonObject | null => {
  for (const _ in value) return value;
  return null;
};

/**
 * Attributes that are lists are kept as JSON text inside the column, as payloads are: a filter then sees the text that
 * was sent, where `jsonb` would space it and order its keys anew.
 */
const NESTED = OWN_FIELD_NAMES.filter((name) => ownField(name).kind === 'objects');

export function mapNested(attributes: JsonObject, change: (value: never) => JsonValue): JsonObject {
  let changed: Record<string, JsonValue> | undefined;
  for (const name of NESTED) {
    if (!(name in attributes)) continue;
    changed ??= { ...attributes };
    changed[name] = change(attributes[name] as never);
  }
  return changed ?? attributes;
}
