import { hash } from 'node:crypto';
import { isSpanId, isTraceId, spanRecordId, traceRecordId, uuid4 } from '../../core/otel/otel-ids.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const digits = (text: string): string => hash('sha256', text, 'hex');
const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/**
 * The trace id that an id of another product stands for: itself where it is one of OpenTelemetry or a UUID, else digits that follow
 * from it. The same file sent again means the same traces, and a trace that came live already is the same one.
 */
export function toTraceId(product: string, id: string): string {
  const lower = id.toLowerCase();
  const plain = UUID.test(lower) ? lower.replaceAll('-', '') : lower;
  return isTraceId(plain) ? plain : digits(`${product} trace ${id}`).slice(0, 32);
}

/** As `toTraceId`, of a span. */
export function toSpanId(product: string, id: string): string {
  const lower = id.toLowerCase();
  return isSpanId(lower) ? lower : digits(`${product} span ${id}`).slice(0, 16);
}

/** The record of a span, or of the trace itself. */
export const toRecordId = (trace_id: string, span_id?: string): string =>
  span_id === undefined ? traceRecordId(trace_id) : spanRecordId(trace_id, span_id, sha256);

/** Id of a row of a dataset. */
export const toRowId = (dataset: string, id: string): string => uuid4(digits(`${dataset} row ${id}`).slice(0, 32));
