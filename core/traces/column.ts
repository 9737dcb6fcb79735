import type { JsonValue } from '../kernel/json.ts';
import { type LogRecord, type RecordType, SPAN_TYPES } from './record.ts';

export type FilterType = 'id' | 'text' | 'number' | 'date' | 'boolean' | 'collection';

/** A column of the standard catalogue: what can be filtered and sorted, and how. */
export interface Column {
  readonly id: string;
  readonly data_type: 'uuid' | 'text' | 'timestamp' | 'string_list' | 'integer' | 'floating_point' | 'boolean';
  readonly filter_type: FilterType;
  readonly sortable: boolean;
  readonly applies_to: readonly RecordType[];
  /** The value as filters and sorts see it. */
  value(record: LogRecord): JsonValue;
}

const ALL: readonly RecordType[] = ['trace', ...SPAN_TYPES];
const SPANS: readonly RecordType[] = SPAN_TYPES;

type Kind = Pick<Column, 'data_type' | 'filter_type' | 'sortable'>;
const TEXT: Kind = { data_type: 'text', filter_type: 'text', sortable: true };
const UUID: Kind = { data_type: 'uuid', filter_type: 'id', sortable: true };
const DATE: Kind = { data_type: 'timestamp', filter_type: 'date', sortable: true };
const INTEGER: Kind = { data_type: 'integer', filter_type: 'number', sortable: true };
const FLOAT: Kind = { data_type: 'floating_point', filter_type: 'number', sortable: true };
const BOOLEAN: Kind = { data_type: 'boolean', filter_type: 'boolean', sortable: true };
const LIST: Kind = { data_type: 'string_list', filter_type: 'collection', sortable: false };

type Field =
  | 'id'
  | 'name'
  | 'created_at'
  | 'updated_at'
  | 'external_id'
  | 'tags'
  | 'status_code'
  | 'session_id'
  | 'project_id'
  | 'run_id';
type More =
  | 'has_children'
  | 'is_complete'
  | 'type'
  | 'trace_id'
  | 'parent_id'
  | 'step_number'
  | 'dataset_input'
  | 'dataset_output';

const field = (id: Field | More, kind: Kind, applies_to = ALL): Column => ({
  id,
  ...kind,
  applies_to,
  value: (record) => record[id],
});
const payload = (id: 'input' | 'output'): Column => ({
  id,
  ...TEXT,
  applies_to: ALL,
  value: (record) => payloadText(record[id]),
});
const attribute = (id: string, kind: Kind, applies_to: readonly RecordType[]): Column => ({
  id,
  ...kind,
  applies_to,
  value: (record) => {
    const value = record.attributes[id] ?? null;
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  },
});

/** The interface specification's table of standard columns. */
export const STANDARD_COLUMNS: readonly Column[] = [
  payload('input'),
  payload('output'),
  field('name', TEXT),
  field('created_at', DATE),
  field('id', UUID),
  field('external_id', TEXT),
  field('tags', LIST),
  field('status_code', INTEGER),
  field('dataset_input', TEXT),
  field('dataset_output', TEXT),
  field('session_id', UUID),
  field('project_id', UUID),
  field('run_id', UUID),
  field('updated_at', DATE),
  field('has_children', BOOLEAN),
  field('is_complete', BOOLEAN),
  field('type', TEXT, SPANS),
  field('trace_id', UUID),
  field('parent_id', UUID, SPANS),
  field('step_number', INTEGER, SPANS),
  attribute('agent_type', TEXT, ['agent']),
  attribute('tools', TEXT, ['llm']),
  attribute('model', TEXT, ['llm']),
  attribute('finish_reason', TEXT, ['llm']),
  attribute('temperature', FLOAT, ['llm']),
  attribute('tool_call_id', TEXT, ['tool']),
  attribute('control_id', INTEGER, ['control']),
  attribute('agent_name', TEXT, ['control']),
  attribute('check_stage', TEXT, ['control']),
  attribute('applies_to', TEXT, ['control']),
];

const byId = new Map(STANDARD_COLUMNS.map((column) => [column.id, column]));
const METRIC_PREFIX = 'metrics/';

/** A standard column, or `metrics/<name>`: a number that came with the record. Undefined when there is no such column. */
export function findColumn(id: string): Column | undefined {
  const name = metricName(id);
  if (name === undefined) return byId.get(id);
  return { id, ...FLOAT, applies_to: ALL, value: ({ metrics }) => (typeof metrics[name] === 'number' ? metrics[name] : null) };
}

export const metricName = (columnId: string): string | undefined =>
  columnId.startsWith(METRIC_PREFIX) && columnId.length > METRIC_PREFIX.length ? columnId.slice(METRIC_PREFIX.length) : undefined;

/** A payload as text filters see it: a text as it is, anything else as its JSON text. */
export const payloadText = (value: JsonValue): string | null =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
