import type { Sha256 } from '../../kernel/digest.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { isJsonObject, toJsonText } from '../../plugin-sdk/otel/json-text.ts';
import { isSpanId, isTraceId, spanRecordId, traceRecordId, uuid4 } from '../otel-ids.ts';
import { isoOfNanos } from '../otel-time.ts';
import type { OtlpEvent } from '../spans/otlp-span.ts';
import { storable, storableText } from '../storable.ts';
import type { OtlpLog } from './otlp-log.ts';

/** A log record of a span, as it is kept until all of its span has arrived. */
export interface SpanLog {
  /** A digest of what it says, so that one that is sent again is known. */
  readonly id: string;
  /** Of the record of its span. */
  readonly span_id: string;
  /** Of the record of its trace. */
  readonly trace_id: string;
  /** Empty for what is no event. */
  readonly name: string;
  /** When it happened, as an ISO timestamp; empty where it does not say. */
  readonly time: string;
  /** Where it stands among those of its span: by time, of one time by when they were noticed, then by arrival. */
  readonly place: string;
  readonly severity: string;
  readonly scope: string;
  readonly attributes: JsonObject;
  readonly body: JsonValue;
}

const MAX_NAME = 1024;
const SEVERITIES = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const NO_SPAN = 'a log record names no trace and span';

/** Why a log record cannot be kept; undefined when it can. */
export const findLogRefusal = ({ trace_id, span_id }: OtlpLog): string | undefined =>
  isTraceId(trace_id) && isSpanId(span_id) ? undefined : NO_SPAN;

/** A log record whose ids are good. `arrival` sorts after those that came before. */
export function toSpanLog(log: OtlpLog, scope: string, arrival: string, sha256: Sha256): SpanLog {
  const named = log.attributes.get('event.name');
  const nanos = log.time_unix_nano || log.observed_unix_nano;
  const said = {
    name: storableText(log.event_name || (typeof named === 'string' ? named : ''), MAX_NAME),
    time: nanos === 0n ? '' : isoOfNanos(nanos),
    severity: storableText(log.severity_text || toSeverity(log.severity_number), MAX_NAME),
    scope: storableText(scope, MAX_NAME),
    attributes: storable(Object.fromEntries([...log.attributes].filter(([key]) => key !== 'event.name'))) as JsonObject,
    body: storable(log.body),
  };
  const span_id = spanRecordId(log.trace_id, log.span_id, sha256);
  const digest = sha256(new TextEncoder().encode(JSON.stringify([span_id, String(nanos), said])));
  const place = `${toDigits(nanos)} ${toDigits(log.observed_unix_nano)} ${arrival}`;
  return { id: uuid4(digest.slice(0, 32)), span_id, trace_id: traceRecordId(log.trace_id), place, ...said };
}

const toDigits = (nanos: bigint): string => String(nanos).padStart(20, '0');

const toSeverity = (number: number): string => SEVERITIES[Math.ceil(number / 4) - 1] ?? '';

/** The log record as an event of its span: members of its body stand among its attributes, as they do in events of spans. */
export function toSpanEvent({ name, time, attributes, body }: SpanLog): OtlpEvent {
  const members = isJsonObject(body) ? Object.entries(body) : [];
  const time_unix_nano = time === '' ? 0n : BigInt(Date.parse(time)) * 1_000_000n;
  return { name, time_unix_nano, attributes: new Map([...Object.entries(attributes), ...members]) };
}

/** A log record that no field of its span took, as it is shown. */
export function toShownLog({ name, time, severity, scope, attributes, body }: SpanLog): JsonObject {
  const all = { name, time, severity, scope, body: body === null || typeof body === 'string' ? (body ?? '') : toJsonText(body) };
  const said = Object.entries(all).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(said), ...(Object.keys(attributes).length > 0 && { attributes }) };
}
