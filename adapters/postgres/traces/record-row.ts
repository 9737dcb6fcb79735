import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { FieldKind } from '../../../core/traces/catalogue/field-kinds.ts';
import {
  COMMON_FIELD_NAMES,
  type CommonField,
  commonField,
  type PayloadField,
} from '../../../core/traces/catalogue/record-fields.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { decodeText, readJson } from '../database/text-codec.ts';
import { type ColumnName, mapNested, PAYLOAD_BITS } from './stored-columns.ts';

/** A row of `records` as `SELECT_RECORD` reads it. Timestamps and JSON come as text. */
export interface RecordRow extends Readonly<Record<ColumnName, unknown>> {
  readonly updated_at: string;
}

type Blocks = Readonly<Partial<Record<'input' | 'output', JsonValue>>>;

/** The content blocks that are stored of a record. */
export const toContentBlocks = (stored: unknown): Blocks =>
  stored === null ? NO_BLOCKS : (JSON.parse(decodeText(stored as string)) as Blocks);
const NO_BLOCKS: Blocks = {};

/** Reads the input or output of a record from the stored text; of content blocks that text. */
export function toStoredPayload<P extends PayloadField>(
  row: { readonly [Name in P]: unknown } & { readonly payload_kinds: unknown },
  name: P,
): JsonValue {
  const stored = row[name] as string | null;
  if (stored === null) return null;
  const text = decodeText(stored);
  return (row.payload_kinds as number) & PAYLOAD_BITS[name] ? (JSON.parse(text) as JsonValue) : text;
}

/** The value of a field, from the column of its name. */
const READ: { readonly [K in FieldKind]: (row: RecordRow, name: CommonField) => JsonValue } = {
  id: (row, name) => row[name] as string | null,
  type: (row, name) => row[name] as string,
  text: (row, name) => (row[name] === null ? null : decodeText(row[name] as string)),
  timestamp: (row, name) => toUtc(row[name] as string)!,
  integer: (row, name) => row[name] as number | null,
  number: (row, name) => row[name] as number | null,
  boolean: (row, name) => row[name] as boolean,
  texts: (row, name) => ((row[name] as string[] | null) ?? []).map(decodeText),
  payload: (row, name) => toStoredPayload(row, name as PayloadField),
  map: (row, name) => jsonIn(row[name]),
  objects: (row, name) => (row[name] === null ? [] : (JSON.parse(decodeText(row[name] as string)) as JsonValue)),
};
const readers = COMMON_FIELD_NAMES.map((name) => ({ name, read: READ[commonField(name).kind] }));

const jsonIn = (stored: unknown): JsonObject => (stored === null ? {} : (readJson(stored as string) as JsonObject));

export function toRecord(row: RecordRow): LogRecord {
  const record: Record<string, JsonValue> = {};
  for (const { name, read } of readers) record[name] = read(row, name);
  const blocks = toContentBlocks(row.content_blocks);
  if (blocks.input !== undefined && row.input !== null) record.input = blocks.input;
  if (blocks.output !== undefined && row.output !== null) record.output = blocks.output;
  record.attributes = mapNested(jsonIn(row.attributes), JSON.parse);
  return record as unknown as LogRecord;
}
