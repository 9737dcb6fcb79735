import type { JsonValue } from '../kernel/json.ts';
import type { Score } from '../scores/score.ts';
import { isSystemMetric } from '../traces/catalogue/system-metrics.ts';
import type { LogRecord } from '../traces/record.ts';
import type { RecordMetric } from './hourly.ts';

/** Metrics that every record has, so that traffic and errors can be drawn as any metric. Metrics of these names are hidden by them. */
export const COUNTED = { records: 'records', errors: 'errors' } as const;
/** From here on a status is an error, as in HTTP. */
export const FIRST_ERROR = 400;

/** Rating of a record, by the id of its column. */
export interface RatingResult {
  readonly column_id: string;
  readonly value: JsonValue;
}

type Numbered = Pick<LogRecord, 'id' | 'type' | 'created_at' | 'metrics' | 'status_code'>;
type Result = Pick<Score, 'metric_name' | 'status_type' | 'value'>;

export const isError = ({ status_code }: Pick<LogRecord, 'status_code'>): boolean => (status_code ?? 0) >= FIRST_ERROR;

export const isCounted = (name: string): boolean => Object.hasOwn(COUNTED, name);

/**
 * All metrics of a record that are numbers: those that came with it, and the results of scorers, where yes is 1 and no is 0. `scores` are in the
 * order they were made. What counts is what a filter on the metric sees: the newest score of a name hides what came
 * with the record, unless it says nothing; a system metric is what came with the record. Ratings are numbers by the ids of their
 * columns, and hide metrics of such names.
 */
export function toRecordMetrics(
  record: Numbered,
  scores: readonly Result[],
  ratings: readonly RatingResult[] = [],
): RecordMetric[] {
  const values = new Map<string, JsonValue | undefined>(Object.entries(record.metrics));
  const newest = new Map(scores.map((score) => [score.metric_name, score.status_type === 'success' ? score.value : null]));
  for (const [name, value] of newest) if (value !== null && !isSystemMetric(name)) values.set(name, value);
  for (const { column_id, value } of ratings) values.set(column_id, value);
  values.set(COUNTED.records, 1).set(COUNTED.errors, isError(record));
  const { id, type, created_at } = record;
  return [...values].flatMap(([name, value]) => {
    const number = numberIn(value);
    return number === undefined ? [] : [{ record_id: id, name, type, value: number, created_at }];
  });
}

function numberIn(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  // The sign of a zero does not survive JSON: it counts as zero wherever it is read from.
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;
}
