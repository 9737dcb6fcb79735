import type { JsonValue } from '../../kernel/json.ts';
import type { OtlpAttributes } from '../spans/otlp-span.ts';

/** One log record as it arrived, whichever encoding it arrived in. Ids are lower-case hex of any length; empty where there is none. */
export interface OtlpLog {
  readonly trace_id: string;
  readonly span_id: string;
  /** When it happened; 0 when missing. */
  readonly time_unix_nano: bigint;
  /** When it was noticed; 0 when missing. */
  readonly observed_unix_nano: bigint;
  /** Empty for what is no event, and for senders that put it into the attribute `event.name`. */
  readonly event_name: string;
  /** 1 to 24; 0 when missing. */
  readonly severity_number: number;
  readonly severity_text: string;
  readonly body: JsonValue;
  readonly attributes: OtlpAttributes;
  /** Attributes that were left out: by the sender, or by us for want of room. */
  readonly dropped_attributes: number;
}

export interface OtlpScopeLogs {
  readonly scope: { readonly name: string; readonly version: string };
  readonly logs: readonly OtlpLog[];
}

export interface OtlpResourceLogs {
  readonly resource: OtlpAttributes;
  readonly scope_logs: readonly OtlpScopeLogs[];
}

/** A decoded ExportLogsServiceRequest. */
export interface OtlpLogRequest {
  readonly resource_logs: readonly OtlpResourceLogs[];
  /** Why log records could not be read, one text for each of them. */
  readonly malformed?: readonly string[];
}
