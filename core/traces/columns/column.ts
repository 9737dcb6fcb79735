import { NUM_COMMENTS } from '../../comments/comment-column.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { parseRatingColumn, type RatingColumn } from '../../ratings/rating-column.ts';
import { parseAgreementColumn } from '../../scores/agreement-column.ts';
import { COLUMN_KINDS, type ColumnKind, type FieldKind } from '../catalogue/field-kinds.ts';
import {
  COMMON_FIELD_NAMES,
  type ColumnEntry,
  type CommonField,
  commonField,
  MAP_FIELDS,
  type MapField,
  OWN_FIELD_NAMES,
  ownField,
} from '../catalogue/record-fields.ts';
import { knownFirst, type OwnField, ownFieldsOf, SPAN_TYPES, STEP_ORDER, type StepType } from '../catalogue/span-types.ts';
import { isSystemMetric, type SystemMetricName, systemMetricEntry } from '../catalogue/system-metrics.ts';
import { contentText, isContentBlocks } from '../content-blocks.ts';
import { valueText } from '../read/value-text.ts';
import type { LogRecord } from '../record.ts';

/** Looks up what others say of one record; null where they say nothing. */
export interface Judged {
  /** The newest score of a metric. */
  score(metric_name: string): JsonValue;
  /** How far the judges of that score agreed. */
  agreement(metric_name: string): number | null;
  /** Feedback of a name, or what the answers to an annotation template come to. */
  rating(column: RatingColumn): JsonValue;
  /** How many comments it has itself. */
  comments(): number;
}

export const NOT_JUDGED: Judged = { score: () => null, agreement: () => null, rating: () => null, comments: () => 0 };

/** A column: what can be filtered and sorted, and how. */
export interface Column extends ColumnKind {
  readonly id: string;
  readonly applies_to: readonly StepType[];
  /** Whether records of these types may go without it. */
  readonly is_optional: boolean;
  readonly allowed_values: readonly string[] | null;
  /** The value as filters and sorts see it. */
  value(record: LogRecord, judged: Judged): JsonValue;
}

const EVERYTHING = STEP_ORDER;
const RECORDS: readonly StepType[] = EVERYTHING.filter((type) => type !== 'session');
const inStepOrder = (types: readonly StepType[]): readonly StepType[] => STEP_ORDER.filter((type) => types.includes(type));
const SPANS: readonly StepType[] = RECORDS.filter((type) => type !== 'trace');

/** A standard column, as the catalogue presents it. */
export interface StandardColumn extends Column {
  readonly label: string;
  readonly description: string;
  readonly group: string;
}

const APPLIES_TO = { everything: EVERYTHING, records: RECORDS, spans: SPANS } as const;

function commonColumn(id: CommonField): StandardColumn[] {
  const { kind, column } = commonField(id);
  if (!column) return [];
  const value: Column['value'] = kind === 'payload' ? (record) => payloadText(record[id] as JsonValue) : (record) => record[id];
  return [standardColumn(id, kind, column, APPLIES_TO[column.of ?? 'records'], value)];
}

function ownColumn(id: OwnField): StandardColumn[] {
  const { kind, column } = ownField(id);
  const types = STEP_ORDER.filter((type) => type !== 'session' && ownFieldsOf(type).includes(id));
  return column
    ? [standardColumn(id, kind, column, types, ({ attributes }) => attributeValue(kind, attributes[id] ?? null))]
    : [];
}

const standardColumn = (
  id: string,
  kind: FieldKind,
  { label, description, group, is_optional, allowed_values }: ColumnEntry,
  applies_to: readonly StepType[],
  value: Column['value'],
): StandardColumn => ({
  ...{ id, ...COLUMN_KINDS[kind], applies_to, value, label, description, group },
  is_optional: is_optional ?? false,
  allowed_values: allowed_values ?? null,
});

/** A list of objects among the attributes compares as the JSON text it came as. */
const attributeValue = (kind: FieldKind, value: JsonValue): JsonValue =>
  kind !== 'texts' && typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

const columns = new Map(
  [...COMMON_FIELD_NAMES.flatMap(commonColumn), ...OWN_FIELD_NAMES.flatMap(ownColumn)].map((one) => [one.id, one]),
);

/** The order of the interface specification's table; what is ours comes behind. */
const SPECIFIED: readonly (CommonField | OwnField)[] = [
  ...(['input', 'output', 'name', 'created_at', 'id', 'external_id', 'tags', 'status_code', 'dataset_input'] as const),
  ...(['dataset_output', 'session_id', 'project_id', 'run_id', 'updated_at', 'has_children', 'is_complete', 'type'] as const),
  ...(['trace_id', 'parent_id', 'step_number', 'agent_type', 'tools', 'model', 'finish_reason', 'temperature'] as const),
  ...(['tool_call_id', 'control_id', 'agent_name', 'check_stage', 'applies_to'] as const),
];
export const STANDARD_COLUMNS: readonly StandardColumn[] = knownFirst<string>(SPECIFIED, [...columns.keys()]).map(
  (id) => columns.get(id)!,
);

/** Columns whose names are the sender's: `<place>/<name>`. */
export const PLACES = knownFirst<MapField>(['metrics'], MAP_FIELDS);
export interface OwnName {
  readonly place: MapField;
  readonly name: string;
}

/** The place and the name in an id such as `user_metadata/customer`; undefined for any other id. */
export function parseOwnName(id: string): OwnName | undefined {
  const slash = id.indexOf('/');
  const place = PLACES.find((one) => one === id.slice(0, slash));
  return place && slash >= 0 && id.length > slash + 1 ? { place, name: id.slice(slash + 1) } : undefined;
}

/** A standard column, one of the sender's own names, of agreement, of ratings, or of comments. Undefined when there is no such column. */
export function findColumn(id: string): Column | undefined {
  const own = parseOwnName(id);
  if (own === undefined) return columns.get(id) ?? agreementColumn(id) ?? ratingColumn(id) ?? commentColumn(id);
  const { place, name } = own;
  if (place !== 'metrics')
    return optional(id, COLUMN_KINDS.map, EVERYTHING, (record) => valueText(ownValue(record[place], name)));
  if (isSystemMetric(name)) return systemMetric(id, name);
  return optional(id, METRIC, EVERYTHING, ({ metrics }, judged) => judged.score(name) ?? ownValue(metrics, name));
}

const optional = (id: string, kind: ColumnKind, applies_to: readonly StepType[], value: Column['value']): Column => ({
  ...{ id, ...kind, applies_to, is_optional: true, allowed_values: null, value },
});

function agreementColumn(id: string): Column | undefined {
  const metric_name = parseAgreementColumn(id);
  if (metric_name === undefined) return undefined;
  return optional(id, COLUMN_KINDS.number, RECORDS, (_, judged) => judged.agreement(metric_name));
}

function ratingColumn(id: string): Column | undefined {
  const rating = parseRatingColumn(id);
  return rating && optional(id, METRIC, EVERYTHING, (_, judged) => judged.rating(rating));
}

function commentColumn(id: string): Column | undefined {
  if (id !== NUM_COMMENTS) return undefined;
  return { ...optional(id, COLUMN_KINDS.integer, EVERYTHING, (_, judged) => judged.comments()), is_optional: false };
}

/** A metric is what its values are: every filter that reads some kind of value fits. */
const METRIC: ColumnKind = {
  data_type: 'floating_point',
  filter_types: ['number', 'boolean', 'text', 'collection'],
  sortable: true,
};

function systemMetric(id: string, name: SystemMetricName): Column {
  const numberIn = ({ metrics }: LogRecord): JsonValue => {
    const value = ownValue(metrics, name);
    return typeof value === 'number' ? value : null;
  };
  return optional(id, COLUMN_KINDS.integer, inStepOrder(systemMetricEntry(name).applies_to), numberIn);
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
