import type { JsonValue } from '../kernel/json.ts';
import type { FieldKind } from '../traces/catalogue/field-kinds.ts';
import { COMMON_FIELD_NAMES, commonField, OWN_FIELD_NAMES, ownField, PAYLOAD_FIELDS } from '../traces/catalogue/record-fields.ts';
import { ownFieldsOf } from '../traces/catalogue/span-types.ts';
import { SYSTEM_METRICS, systemMetricEntry } from '../traces/catalogue/system-metrics.ts';
import type { LogRecord } from '../traces/record.ts';
import type { ExportKey } from './export-key.ts';
import type { ParquetColumn, ParquetRow, ParquetType } from './parquet-file.ts';
import { type ReadColumn, toColumns, toGoneValues } from './read-column.ts';

type Value = ParquetRow[number];

type RecordColumn = ReadColumn<LogRecord>;

const TYPES: Readonly<Record<FieldKind, ParquetType>> = {
  id: 'string',
  type: 'string',
  text: 'string',
  timestamp: 'timestamp',
  integer: 'int32',
  number: 'double',
  boolean: 'boolean',
  texts: 'strings',
  payload: 'string',
  map: 'json',
  objects: 'json',
};

const toText = (value: JsonValue): string | null => (value === null || typeof value === 'string' ? value : JSON.stringify(value));

/** A value of a field as its column holds it. */
function toValue(kind: FieldKind, value: JsonValue | undefined): Value {
  if (value === null || value === undefined) return null;
  if (TYPES[kind] === 'json') return JSON.stringify(value);
  return kind === 'payload' ? toText(value) : (value as Value);
}

const MAPS: Readonly<Record<string, string>> = {
  user_metadata: "Metadata of the sender's own, as JSON.",
  dataset_metadata: 'Metadata of the dataset row, as JSON.',
  metrics: "Numbers of the sender's own and system metrics by name, as JSON.",
  redacted_input: 'Input without what must not be shown; null where the sender gave none.',
  redacted_output: 'Output without what must not be shown; null where the sender gave none.',
  events: 'Events of a call, as JSON.',
};

/** A span is as complete as its trace, whose row says it: spans change when it does, without being written. */
const readComplete = ({ type, is_complete }: LogRecord): Value => (type === 'trace' ? is_complete : null);

const common = COMMON_FIELD_NAMES.map((name): RecordColumn => {
  const { kind, column } = commonField(name);
  const description = column?.description ?? MAPS[name] ?? '';
  const column_ = { name, type: TYPES[kind], description };
  if (name === 'is_complete')
    return { ...column_, description: 'Of a trace: whether all of it has arrived. Null of a span.', read: readComplete };
  return { ...column_, read: (record) => toValue(kind, record[name] as JsonValue) };
});

/** Payloads are strings, or JSON texts of messages, content blocks and the like: which of both tells a column beside. */
const payloadKinds = PAYLOAD_FIELDS.map(
  (name): RecordColumn => ({
    name: `${name}_is_json`,
    type: 'boolean',
    description: `Whether \`${name}\` is JSON text, and not a string that was sent.`,
    read: (record) => (record[name] === null ? null : typeof record[name] !== 'string'),
  }),
);

const own = OWN_FIELD_NAMES.map((name): RecordColumn => {
  const { kind, column } = ownField(name);
  const isList = kind === 'texts';
  return {
    name,
    type: TYPES[kind],
    description: column?.description ?? MAPS[name] ?? '',
    read: ({ type, attributes }) =>
      toValue(kind, (attributes[name] as JsonValue | undefined) ?? (isList && ownFieldsOf(type).includes(name) ? [] : null)),
  };
});

const metrics = SYSTEM_METRICS.map(
  (name): RecordColumn => ({
    name,
    type: 'int64',
    description: systemMetricEntry(name).description,
    read: ({ metrics: { [name]: value } }) => (Number.isSafeInteger(value) ? (value as number) : null),
  }),
);

const fields: readonly RecordColumn[] = [...common, ...payloadKinds, ...own, ...metrics];

/** Columns that each row of either kind of file begins with. */
export const ROW_COLUMNS: readonly ParquetColumn[] = [
  {
    name: 'version',
    type: 'int64',
    is_required: true,
    description: 'Grows with each file of the project: of rows about the same thing on the same day the greatest one holds.',
  },
  {
    name: 'deleted',
    type: 'boolean',
    is_required: true,
    description: 'Whether the thing is gone, or has moved to another day. Only its ids are there then.',
  },
];

/** Columns of files of records. */
export const RECORD_COLUMNS: readonly ParquetColumn[] = [...ROW_COLUMNS, ...toColumns(fields)];

/** The row of a record without the columns that all rows begin with. */
export const toRecordValues = (record: LogRecord): ParquetRow => fields.map(({ read }) => read(record));

/** The row of a record that is gone, likewise. */
export const toGoneRecordValues = (project_id: string, { run_id, record_id }: ExportKey): ParquetRow =>
  toGoneValues(fields, { id: record_id, project_id, run_id });
