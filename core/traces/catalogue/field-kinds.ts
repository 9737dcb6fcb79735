import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { RecordType } from './span-types.ts';

export type FilterType = 'id' | 'text' | 'number' | 'date' | 'boolean' | 'collection';
export type DataType = 'uuid' | 'text' | 'timestamp' | 'string_list' | 'integer' | 'floating_point' | 'boolean';

/** Types of values of each kind of field, beside null. */
export interface FieldValues {
  readonly id: string;
  readonly type: RecordType;
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  /** Of 32 bits. */
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly texts: readonly string[];
  /** An input or output: a string, content blocks, a message, messages, documents or an object, by type of the record. */
  readonly payload: JsonValue;
  /** Names of the sender's own. */
  readonly map: JsonObject;
  /** A list of objects. */
  readonly objects: readonly JsonObject[];
}
export type FieldKind = keyof FieldValues;

/** How a column of a kind is searched. */
export interface ColumnKind {
  readonly data_type: DataType;
  /** The filters that fit, the usual one first. */
  readonly filter_types: readonly [FilterType, ...FilterType[]];
  readonly sortable: boolean;
}

const TEXT: ColumnKind = { data_type: 'text', filter_types: ['text'], sortable: true };

export const COLUMN_KINDS: Readonly<Record<FieldKind, ColumnKind>> = {
  /** A text filter also reads ids: clients search by parts of them. */
  id: { data_type: 'uuid', filter_types: ['id', 'text'], sortable: true },
  type: TEXT,
  text: TEXT,
  timestamp: { data_type: 'timestamp', filter_types: ['date'], sortable: true },
  integer: { data_type: 'integer', filter_types: ['number'], sortable: true },
  number: { data_type: 'floating_point', filter_types: ['number'], sortable: true },
  boolean: { data_type: 'boolean', filter_types: ['boolean'], sortable: true },
  texts: { data_type: 'string_list', filter_types: ['collection'], sortable: false },
  payload: TEXT,
  map: TEXT,
  objects: TEXT,
};
