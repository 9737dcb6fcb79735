import type { SpanAttributes, SpanEvent } from '../../plugin-sdk/otel/span-reader.ts';

/** Attributes by key; of a key sent twice the last value. Objects inside values have no prototype. */
export type OtlpAttributes = SpanAttributes;
export type OtlpEvent = SpanEvent;

export interface OtlpLink {
  readonly trace_id: string;
  readonly span_id: string;
  readonly attributes: OtlpAttributes;
}

/** Counts of the parts of a span that were left out: by its sender, or here for want of room. */
export interface OtlpDropped {
  readonly attributes: number;
  readonly events: number;
  readonly links: number;
}

/** One span as it arrived, whichever encoding it arrived in. Ids are lower-case hex of any length: nobody has judged them yet. */
export interface OtlpSpan {
  readonly trace_id: string;
  readonly span_id: string;
  /** Empty when there is none. */
  readonly parent_span_id: string;
  readonly name: string;
  readonly kind: number;
  /** 0 when missing. */
  readonly start_unix_nano: bigint;
  /** 0 when the span has not ended. */
  readonly end_unix_nano: bigint;
  readonly attributes: OtlpAttributes;
  readonly events: readonly OtlpEvent[];
  readonly links: readonly OtlpLink[];
  readonly status: { readonly code: number; readonly message: string };
  readonly flags: number;
  readonly dropped: OtlpDropped;
}

export interface OtlpScopeSpans {
  readonly scope: { readonly name: string; readonly version: string };
  readonly spans: readonly OtlpSpan[];
}

export interface OtlpResourceSpans {
  readonly resource: OtlpAttributes;
  readonly scope_spans: readonly OtlpScopeSpans[];
}

/** A decoded ExportTraceServiceRequest. */
export interface OtlpRequest {
  readonly resource_spans: readonly OtlpResourceSpans[];
  /** Why spans could not be read, one text for each of them. */
  readonly malformed?: readonly string[];
}

export const OTLP_STATUS_OK = 1;
export const OTLP_STATUS_ERROR = 2;
/** Set in `flags` when the parent ran in another process. */
export const PARENT_IS_REMOTE = 0x200;

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'];

export const getKindName = (kind: number): string => KINDS[kind] ?? 'internal';
