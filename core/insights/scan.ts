import type { JsonValue } from '../kernel/json.ts';
import { payloadText } from '../traces/columns/column.ts';
import type { LogRecord } from '../traces/record.ts';
import type { FilterTree, RecordFilter } from '../traces/record-query.ts';
import type { InsightRecord } from './insight.ts';

/** From the first timestamp up to the second, which is not included. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** Which records are looked at, and which they are compared with. */
export interface Scan {
  readonly project_id: string;
  readonly run_id: string;
  readonly window: TimeRange;
  readonly baseline: TimeRange;
}

const DAY_MS = 86_400_000;
const BASELINE_DAYS = 7;

/** The last 24 hours against the week before them. */
export function lookAt(project_id: string, run_id: string, now: Date): Scan {
  const at = (daysAgo: number): string => new Date(now.getTime() - daysAgo * DAY_MS).toISOString();
  return { project_id, run_id, window: { from: at(1), to: at(0) }, baseline: { from: at(1 + BASELINE_DAYS), to: at(1) } };
}

/** The condition that a record began in a time, and all the others. */
export function within({ from, to }: TimeRange, ...filters: readonly RecordFilter[]): FilterTree {
  const time = (operator: 'gte' | 'lt', value: string): FilterTree => ({
    filter: { type: 'date', column_id: 'created_at', operator, value },
  });
  return { and: [time('gte', from), time('lt', to), ...filters.map((filter) => ({ filter }))] };
}

export const isText = (column_id: string, value: string): RecordFilter => ({
  type: 'text',
  column_id,
  operator: 'eq',
  value,
  case_sensitive: true,
});

export const toEvidence = ({ id, trace_id, type, name }: LogRecord): InsightRecord => ({ record_id: id, trace_id, type, name });

/** A name as it stands in a sentence. */
export const stepName = (type: string, name: string): string =>
  name === '' ? `a ${type} without a name` : `${type} "${short(name)}"`;

export const short = (text: string, length = 80): string => {
  const points = [...text];
  return points.length > length ? `${points.slice(0, length).join('')}…` : text;
};

export const toPayloadText = (value: JsonValue): string => payloadText(value) ?? '';

/** A figure in sentences: three significant digits, as many before the point as there are. */
export const figure = (value: number): string =>
  Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
