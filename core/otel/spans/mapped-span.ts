import type { JsonValue } from '../../kernel/json.ts';
import type { OtelMessage } from '../../plugin-sdk/otel/message.ts';
import type { OtelDocument } from '../../plugin-sdk/otel/retrieved-documents.ts';
import type { SpanType } from '../../traces/catalogue/span-types.ts';

/** Token counts of a model call. */
export const TOKEN_COUNTS = [
  'num_input_tokens',
  'num_output_tokens',
  'num_total_tokens',
  'num_cached_input_tokens',
  'num_cache_write_input_tokens',
  'num_reasoning_tokens',
] as const;

/** Counts and times of a span; `cost` in US dollars. A name that has no value is absent. */
export interface SpanMetrics {
  readonly duration_ns?: number;
  readonly num_input_tokens?: number;
  readonly num_output_tokens?: number;
  readonly num_total_tokens?: number;
  readonly num_cached_input_tokens?: number;
  readonly num_cache_write_input_tokens?: number;
  readonly num_reasoning_tokens?: number;
  readonly time_to_first_token_ns?: number;
  readonly cost?: number;
}

/** Facts of a span about its trace, and about itself in the trace; the trace's own record is made of these. */
export interface SpanOfTrace {
  readonly trace_external_id: string;
  /** The parent's span id; null for a root. */
  readonly parent_external_id: string | null;
  readonly parent_is_remote: boolean;
  /** End of the span; null while it runs. */
  readonly ended_at: string | null;
  /** Text of input and output. `weak` when only a protocol gave it: a model call says better what the trace is about. */
  readonly input_text: string | null;
  readonly input_is_weak: boolean;
  readonly output_text: string | null;
  readonly output_is_weak: boolean;
  /** A call whose tokens and cost count for the trace, unless it only wraps another. */
  readonly call: 'llm' | 'embedding' | 'rerank' | null;
  /** Id that the provider gave its response to that call. Absent where nobody says, and in records of before. */
  readonly response_id?: string;
  readonly trace_name: string | null;
  readonly trace_input: string | null;
  readonly trace_output: string | null;
  /** The session's external id. */
  readonly session: string | null;
  readonly user_id: string | null;
  readonly resource: Readonly<Record<string, string>>;
  readonly dataset_input: string | null;
  readonly dataset_output: string | null;
  readonly dataset_metadata: Readonly<Record<string, string>>;
}

/** One OpenTelemetry span as our record of it: the fields have the names and forms of `LogRecord`. */
export interface MappedSpan {
  readonly id: string;
  readonly external_id: string;
  readonly trace_id: string;
  /** Computed, never looked up: the parent may arrive later, or never. The trace's id for a root. */
  readonly parent_id: string;
  readonly type: SpanType;
  readonly name: string;
  readonly created_at: string;
  /** Messages of a model call, else text. */
  readonly input: string | readonly OtelMessage[];
  /** A message, the documents of a retriever, or text; null when there is none. */
  readonly output: string | OtelMessage | readonly OtelDocument[] | null;
  readonly status_code: number | null;
  readonly tags: readonly string[];
  readonly user_metadata: Readonly<Record<string, string>>;
  readonly metrics: SpanMetrics;
  /** The fields that only this type has, as in `ownFieldsOf`. */
  readonly attributes: Readonly<Record<string, JsonValue>>;
  readonly of_trace: SpanOfTrace;
  /** Attributes that no field took; they are all in `user_metadata`. */
  readonly kept_attributes: number;
  /** Texts that were too long and are kept in part. */
  readonly cut_texts: number;
}
