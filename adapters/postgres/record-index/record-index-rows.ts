import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { RecordMetric } from '../../../core/record-index/hourly.ts';
import { COUNTED, isCounted, isError, type RatingResult, toRecordMetrics } from '../../../core/record-index/record-metrics.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { RecordType } from '../../../core/traces/catalogue/span-types.ts';
import { toWordText } from '../../../core/traces/read/words.ts';
import { decodeJson, decodeText, encodeText } from '../database/text-codec.ts';
import { toStoredPayload } from '../traces/record-row.ts';

export interface RunKey {
  readonly project_id: string;
  readonly run_id: string;
}

/** Fields of a record that are indexed. */
export interface RecordSource {
  readonly id: string;
  readonly trace_id: string;
  readonly type: RecordType;
  readonly created_at: string;
  readonly status_code: number | null;
  readonly metrics: object | null;
  readonly name: string;
  readonly input: string;
  readonly output: string | null;
  readonly payload_kinds: number;
  readonly prompt_version_id: string | null;
}

export interface ScoreSource extends Pick<Score, 'record_id' | 'metric_name' | 'status_type'> {
  readonly value: string | null;
}

/** Index entry of a record, as it is stored. */
export interface IndexedRow {
  readonly record_id: string;
  readonly type: string;
  readonly created_at: string;
  readonly is_error: boolean;
  readonly numbers: string;
  readonly words: string;
  /** The version of a prompt that the call was made with. */
  readonly prompt_version_id: string | null;
}

/** Index entry that a record should have. Names of numbers are as the database keeps them. */
export interface IndexedRecord {
  readonly row: IndexedRow;
  readonly trace_id: string;
  readonly numbers: readonly RecordMetric[];
}

export function toIndexedRecord(
  source: RecordSource,
  scores: readonly ScoreSource[],
  ratings: readonly RatingResult[],
): IndexedRecord {
  const metrics = source.metrics === null ? {} : (decodeJson(source.metrics) as JsonObject);
  const record = { ...source, metrics, created_at: toUtc(source.created_at)! };
  const numbers = toRecordMetrics(record, scores.map(toScore), ratings).map((number) => ({
    ...number,
    name: encodeText(number.name),
  }));
  const words = toWordText({
    name: decodeText(source.name),
    input: toStoredPayload(source, 'input'),
    output: toStoredPayload(source, 'output'),
  });
  const own = numbers.filter(({ name }) => !isCounted(name)).map(({ name, value }) => [name, value]);
  const row = {
    record_id: record.id,
    type: record.type,
    created_at: record.created_at,
    is_error: isError(record),
    numbers: JSON.stringify(Object.fromEntries(own)),
    words,
    prompt_version_id: UUID.test(source.prompt_version_id ?? '') ? source.prompt_version_id : null,
  };
  return { row, trace_id: source.trace_id, numbers };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The numbers that were indexed of a record. */
export function metricsIn(row: IndexedRow): RecordMetric[] {
  const { record_id, type } = row;
  const created_at = toUtc(row.created_at)!;
  const counted = { [COUNTED.records]: 1, [COUNTED.errors]: row.is_error ? 1 : 0 };
  const values = { ...counted, ...(JSON.parse(row.numbers) as Record<string, number>) };
  return Object.entries(values).map(([name, value]) => ({ record_id, name, type, value, created_at }));
}

const toScore = ({ metric_name, status_type, value }: ScoreSource) => ({
  metric_name: decodeText(metric_name),
  status_type,
  value: value === null ? null : (JSON.parse(value) as JsonValue),
});
