import type { JsonValue } from '../../core/kernel/json.ts';
import type { OtlpLog } from '../../core/otel/logs/otlp-log.ts';
import type { OtlpDropped, OtlpEvent, OtlpLink, OtlpScopeSpans, OtlpSpan } from '../../core/otel/spans/otlp-span.ts';

/** The decoded shapes while they are being filled. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export type EventDraft = Draft<OtlpEvent> & { attributes: Map<string, JsonValue> };
export type LinkDraft = Draft<OtlpLink> & { attributes: Map<string, JsonValue> };
export type SpanDraft = Draft<Omit<OtlpSpan, 'dropped' | 'status'>> & {
  attributes: Map<string, JsonValue>;
  events: EventDraft[];
  links: LinkDraft[];
  status: Draft<OtlpSpan['status']>;
  dropped: Draft<OtlpDropped>;
};
export type LogDraft = Draft<OtlpLog> & { attributes: Map<string, JsonValue> };
export type ScopeDraft = { scope: Draft<OtlpScopeSpans['scope']>; spans: SpanDraft[] };

export const newEvent = (): EventDraft => ({ name: '', time_unix_nano: 0n, attributes: new Map() });
export const newLink = (): LinkDraft => ({ trace_id: '', span_id: '', attributes: new Map() });
export const newLog = (): LogDraft => ({
  trace_id: '',
  span_id: '',
  time_unix_nano: 0n,
  observed_unix_nano: 0n,
  event_name: '',
  severity_number: 0,
  severity_text: '',
  body: null,
  attributes: new Map(),
  dropped_attributes: 0,
});
export const newSpan = (): SpanDraft => ({
  trace_id: '',
  span_id: '',
  parent_span_id: '',
  name: '',
  kind: 0,
  start_unix_nano: 0n,
  end_unix_nano: 0n,
  attributes: new Map(),
  events: [],
  links: [],
  status: { code: 0, message: '' },
  flags: 0,
  dropped: { attributes: 0, events: 0, links: 0 },
});

/** A whole number that a double cannot hold exactly stays the text of its digits. */
export function intValue(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** JSON has no word for these three, so they are kept as texts. */
export const doubleValue = (value: number): JsonValue => (Number.isFinite(value) ? value : String(value));
