import type { JsonValue } from '../kernel/json.ts';
import type { Score } from '../scorers/score.ts';
import type { LogRecord } from '../traces/record.ts';
import type { RecordNumber } from './hourly.ts';

/** Numbers that every record has, so that traffic and errors can be drawn as any metric. */
export const COUNTED = { records: 'records', errors: 'errors' } as const;
/** From here on a status is an error, as in HTTP. */
const FIRST_ERROR = 400;

type Numbered = Pick<LogRecord, 'id' | 'type' | 'created_at' | 'metrics' | 'status_code'>;

/**
 * All numbers of a record: those that came with it, and the results of scorers, where yes is 1 and no is 0. Of several
 * results for one metric the last one counts; a scorer's result hides a number of the same name that came with the record.
 */
export function numbersOf(record: Numbered, scores: readonly Score[]): RecordNumber[] {
  const values = new Map<string, number>([
    [COUNTED.records, 1],
    [COUNTED.errors, (record.status_code ?? 0) >= FIRST_ERROR ? 1 : 0],
  ]);
  for (const [name, value] of Object.entries(record.metrics)) keep(values, name, value);
  for (const { metric_name, status_type, value } of scores) if (status_type === 'success') keep(values, metric_name, value);
  const { id, type, created_at } = record;
  return [...values].map(([name, value]) => ({ record_id: id, name, type, value, created_at }));
}

function keep(values: Map<string, number>, name: string, value: JsonValue | undefined): void {
  if (typeof value === 'number' && Number.isFinite(value)) values.set(name, value);
  else if (typeof value === 'boolean') values.set(name, value ? 1 : 0);
}
