import type { LogRecord } from '../record.ts';

/** Fields that may be large, and what stands in their place when they are not wanted. */
export const EMPTY_FIELDS = {
  input: null,
  output: null,
  redacted_input: null,
  redacted_output: null,
  dataset_input: null,
  dataset_output: null,
  user_metadata: {},
  dataset_metadata: {},
  metrics: {},
  attributes: {},
} as const satisfies Partial<LogRecord>;

export const LARGE_FIELDS = Object.keys(EMPTY_FIELDS) as readonly (keyof typeof EMPTY_FIELDS)[];

/** A record without the large fields that are not wanted. */
export function withoutLargeFields(record: LogRecord, fields: ReadonlySet<keyof LogRecord>): LogRecord {
  const left = LARGE_FIELDS.filter((name) => !fields.has(name)).map((name) => [name, structuredClone(EMPTY_FIELDS[name])]);
  return { ...record, ...Object.fromEntries(left) };
}
