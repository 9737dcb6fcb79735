import type { LogRecord } from '../traces/record.ts';
import type { RecordFilter } from '../traces/record-query.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { type Finding, MAX_EVIDENCE } from './insight.ts';
import { type Scan, short, stepName, toEvidence, toPayloadText, within } from './scan.ts';

const LEAST = 3;
/** Failed records that are looked at, the newest of each level. */
const MAX_RECORDS = 2_000;
const FAILED: RecordFilter = { type: 'number', column_id: 'status_code', operator: 'gte', value: 400 };
const FIELDS: ReadonlySet<keyof LogRecord> = new Set(['id', 'trace_id', 'type', 'name', 'created_at', 'status_code', 'output']);

/** Steps that fail again and again in the same way. A trace counts by itself only where none of its steps failed. */
export async function errorClusters(traceStore: TraceStore, look: Scan): Promise<Finding[]> {
  const failed = (level: 'trace' | 'span') => {
    const sort = { column_id: 'created_at', ascending: false };
    const selection = { project_id: look.project_id, run_id: look.run_id, level, where: within(look.window, FAILED) };
    return traceStore.list({ ...selection, sort, starting_token: 0, limit: MAX_RECORDS, after: undefined, fields: FIELDS });
  };
  const spans = await failed('span');
  const explained = new Set(spans.map(({ trace_id }) => trace_id));
  const traces = (await failed('trace')).filter(({ id }) => !explained.has(id));
  const clusters = Map.groupBy([...spans, ...traces], (record) => JSON.stringify(getKind(record)));
  return [...clusters].filter(([, records]) => records.length >= LEAST).map(([key, records]) => toFinding(key, records));
}

const getKind = ({ type, name, status_code, output }: LogRecord) => [
  type,
  name,
  status_code,
  outlineMessage(toPayloadText(output)),
];

/** A message without what differs from one time to the next: ids, numbers, quoted texts. */
export function outlineMessage(message: string): string {
  return short(
    message
      .slice(0, 2_000)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>')
      .replaceAll(/"[^"]*"|'[^']*'/g, '<text>')
      .replaceAll(/\b(?=\w*\d)[0-9a-z_]{6,}\b/gi, '<id>')
      .replaceAll(/\d+(?:\.\d+)?/g, '<n>')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    160,
  );
}

function toFinding(key: string, records: readonly LogRecord[]): Finding {
  const { type, name, status_code, output } = records[0]!;
  const traces = new Set(records.map(({ trace_id }) => trace_id)).size;
  const step = stepName(type, name);
  return {
    key: `error_cluster ${key}`,
    kind: 'error_cluster',
    title: `${step} fails with ${status_code}`,
    observation: `${records.length} records of ${step} failed alike in the last 24 hours, in ${traces} traces.`,
    details: `Status ${status_code}; the newest one says: ${short(toPayloadText(output), 300) || 'nothing'}`,
    suggested_action: 'Open the records below; they failed for the same reason, so one repair should serve all of them.',
    priority_category: 'error',
    occurrences: records.length,
    records: records.slice(0, MAX_EVIDENCE).map(toEvidence),
  };
}
