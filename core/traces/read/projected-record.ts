import { commonField, LARGE_COMMON_FIELDS, type LargeField } from '../catalogue/record-fields.ts';
import type { LogRecord } from '../record.ts';

/** Fields that may be large: they are left out of lists that do not show them. */
export const LARGE_FIELDS: readonly (LargeField | 'attributes')[] = [...LARGE_COMMON_FIELDS, 'attributes'];

/** Value in place of a large field that is not wanted. */
const emptied = (name: LargeField | 'attributes') => (name === 'attributes' || commonField(name).kind === 'map' ? {} : null);

/** A record without the large fields that are not wanted. */
export function withoutLargeFields(record: LogRecord, fields: ReadonlySet<keyof LogRecord>): LogRecord {
  const left = LARGE_FIELDS.filter((name) => !fields.has(name)).map((name) => [name, emptied(name)]);
  return { ...record, ...Object.fromEntries(left) };
}
