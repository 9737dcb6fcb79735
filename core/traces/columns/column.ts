import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { SPAN_TYPES, STEP_ORDER, STEP_TYPES, type StepType } from '../catalogue/span-types.ts';
import { isSystemMetric, type SystemMetricName, systemMetricEntry } from '../catalogue/system-metrics.ts';
import { contentText, isContentBlocks } from '../content-blocks.ts';
import { valueText } from '../read/value-text.ts';
import type { LogRecord } from '../record.ts';

export type FilterType = 'id' | 'text' | 'number' | 'date' | 'boolean' | 'collection';
export type DataType = 'uuid' | 'text' | 'timestamp' | 'string_list' | 'integer' | 'floating_point' | 'boolean';

/** What scorers said of one record, by metric name; null where they said nothing. */
export type Scored = (metric_name: string) => JsonValue;

/** A column: what can be filtered and sorted, and how. */
export interface Column {
  readonly id: string;
  readonly data_type: DataType;
  /** The filters that fit, the usual one first. */
  readonly filter_types: readonly [FilterType, ...FilterType[]];
  readonly sortable: boolean;
  readonly applies_to: readonly StepType[];
  /** Whether records of these types may go without it. */
  readonly is_optional: boolean;
  readonly allowed_values: readonly string[] | null;
  /** The value as filters and sorts see it. */
  value(record: LogRecord, scored: Scored): JsonValue;
}

const EVERYTHING = STEP_ORDER;
const RECORDS: readonly StepType[] = EVERYTHING.filter((type) => type !== 'session');
const inStepOrder = (types: readonly StepType[]): readonly StepType[] => STEP_ORDER.filter((type) => types.includes(type));
const SPANS: readonly StepType[] = RECORDS.filter((type) => type !== 'trace');
const AGENT_TYPES = ['supervisor', 'router', 'planner', 'default', 'react', 'judge', 'reflection', 'classifier'];

type Kind = Pick<Column, 'data_type' | 'filter_types' | 'sortable'>;
const TEXT: Kind = { data_type: 'text', filter_types: ['text'], sortable: true };
/** A text filter also reads ids: clients search by parts of them. */
const UUID: Kind = { data_type: 'uuid', filter_types: ['id', 'text'], sortable: true };
const DATE: Kind = { data_type: 'timestamp', filter_types: ['date'], sortable: true };
const INTEGER: Kind = { data_type: 'integer', filter_types: ['number'], sortable: true };
const FLOAT: Kind = { data_type: 'floating_point', filter_types: ['number'], sortable: true };
const BOOLEAN: Kind = { data_type: 'boolean', filter_types: ['boolean'], sortable: true };
const LIST: Kind = { data_type: 'string_list', filter_types: ['collection'], sortable: false };

type More = Partial<Pick<Column, 'is_optional' | 'allowed_values'>>;
const OPTIONAL: More = { is_optional: true };
const column = (
  id: string,
  kind: Kind,
  applies_to: readonly StepType[],
  value: Column['value'],
  { is_optional = false, allowed_values = null }: More = {},
): Column => ({ id, ...kind, applies_to, is_optional, allowed_values, value });

const field = (id: Exclude<keyof LogRecord, 'attributes'>, kind: Kind, applies_to = RECORDS, more: More = {}): Column =>
  column(id, kind, applies_to, (record) => record[id], more);
const payload = (id: 'input' | 'output'): Column => column(id, TEXT, EVERYTHING, (record) => payloadText(record[id]));
const attribute = (id: string, kind: Kind, type: StepType, more: More = OPTIONAL): Column =>
  column(id, kind, [type], ({ attributes }) => attributeValue(attributes[id] ?? null), more);

/** A list among the attributes compares as the JSON text it came as. */
const attributeValue = (value: JsonValue): JsonValue =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** The interface specification's table of standard columns. */
export const STANDARD_COLUMNS: readonly Column[] = [
  payload('input'),
  payload('output'),
  field('name', TEXT, EVERYTHING),
  field('created_at', DATE, EVERYTHING),
  field('id', UUID, EVERYTHING),
  field('external_id', TEXT, EVERYTHING, OPTIONAL),
  field('tags', LIST),
  field('status_code', INTEGER, RECORDS, OPTIONAL),
  field('dataset_input', TEXT),
  field('dataset_output', TEXT),
  field('session_id', UUID),
  field('project_id', UUID),
  field('run_id', UUID),
  field('updated_at', DATE, RECORDS, OPTIONAL),
  field('has_children', BOOLEAN, RECORDS, OPTIONAL),
  field('is_complete', BOOLEAN),
  field('type', TEXT, SPANS, { allowed_values: STEP_TYPES }),
  field('trace_id', UUID, SPANS),
  field('parent_id', UUID, SPANS),
  field('step_number', INTEGER, SPANS, OPTIONAL),
  attribute('agent_type', TEXT, 'agent', { allowed_values: AGENT_TYPES }),
  attribute('tools', TEXT, 'llm', {}),
  attribute('model', TEXT, 'llm'),
  attribute('finish_reason', TEXT, 'llm'),
  attribute('temperature', FLOAT, 'llm'),
  attribute('tool_call_id', TEXT, 'tool'),
  attribute('control_id', INTEGER, 'control'),
  attribute('agent_name', TEXT, 'control'),
  attribute('check_stage', TEXT, 'control', { ...OPTIONAL, allowed_values: ['pre', 'post'] }),
  attribute('applies_to', TEXT, 'control', { ...OPTIONAL, allowed_values: ['llm_call', 'tool_call'] }),
];

/** Columns whose names are the sender's: `<place>/<name>`. */
export const PLACES = ['metrics', 'user_metadata', 'dataset_metadata'] as const;
export interface OwnName {
  readonly place: (typeof PLACES)[number];
  readonly name: string;
}

/** The place and the name in an id such as `user_metadata/customer`; undefined for any other id. */
export function parseOwnName(id: string): OwnName | undefined {
  const slash = id.indexOf('/');
  const place = PLACES.find((one) => one === id.slice(0, slash));
  return place && slash >= 0 && id.length > slash + 1 ? { place, name: id.slice(slash + 1) } : undefined;
}

const byId = new Map(STANDARD_COLUMNS.map((one) => [one.id, one]));

/** A standard column, or one of the sender's own names. Undefined when there is no such column. */
export function findColumn(id: string): Column | undefined {
  const own = parseOwnName(id);
  if (own === undefined) return byId.get(id);
  const { place, name } = own;
  if (place !== 'metrics') return column(id, TEXT, EVERYTHING, (record) => valueText(ownValue(record[place], name)), OPTIONAL);
  if (isSystemMetric(name)) return systemMetric(id, name);
  return column(id, METRIC, EVERYTHING, ({ metrics }, scored) => scored(name) ?? ownValue(metrics, name), OPTIONAL);
}

/** A metric is what its values are: every filter that reads some kind of value fits. */
const METRIC: Kind = {
  data_type: 'floating_point',
  filter_types: ['number', 'boolean', 'text', 'collection'],
  sortable: true,
};

function systemMetric(id: string, name: SystemMetricName): Column {
  const numberIn = ({ metrics }: LogRecord): JsonValue => {
    const value = ownValue(metrics, name);
    return typeof value === 'number' ? value : null;
  };
  return column(id, INTEGER, inStepOrder(systemMetricEntry(name).applies_to), numberIn, OPTIONAL);
}

/** Names are of the sender's making: `toString` is one like any other, and mostly absent. */
const ownValue = (values: JsonObject, name: string): JsonValue => (Object.hasOwn(values, name) ? (values[name] ?? null) : null);

/** A payload as text filters see it: a text as it is, of content blocks their texts, anything else as its JSON text. */
export function payloadText(value: JsonValue): string | null {
  if (value === null || typeof value === 'string') return value;
  return isContentBlocks(value) ? contentText(value) : JSON.stringify(value);
}

/** Whether records of the level can have a column with these applicable types. */
export const isOfLevel = (types: readonly string[], level: 'trace' | 'span' | 'session'): boolean =>
  level === 'span' ? SPAN_TYPES.some((type) => types.includes(type)) : types.includes(level);
