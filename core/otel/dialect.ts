import type { JsonValue } from '../kernel/json.ts';
import type { SpanType } from '../traces/catalogue/span-types.ts';
import type { OtelMessage } from './messages/message.ts';
import type { OtelDocument } from './messages/retrieved-documents.ts';
import type { SpanReader } from './spans/span-reader.ts';

/** What a span can say, whichever words it uses. */
export interface DialectFields {
  readonly type: SpanType;
  readonly agent_type: string;
  readonly check_stage: string;
  readonly tool_name: string;
  readonly agent_name: string;
  /** A name that holds for every type. */
  readonly entity_name: string;
  readonly input_messages: readonly OtelMessage[];
  readonly output_messages: readonly OtelMessage[];
  readonly input_text: string;
  readonly output_text: string;
  /** Text made of what a protocol tells. */
  readonly weak_input_text: string;
  readonly weak_output_text: string;
  /** Messages where text is wanted, when nothing said it in text. */
  readonly event_input_text: string;
  readonly event_output_text: string;
  readonly documents: readonly OtelDocument[];
  readonly model: string;
  readonly temperature: number;
  readonly finish_reason: string;
  readonly tools: readonly JsonValue[];
  readonly tool_call_id: string;
  readonly num_input_tokens: number;
  readonly num_output_tokens: number;
  readonly num_total_tokens: number;
  readonly num_cached_input_tokens: number;
  readonly num_cache_write_input_tokens: number;
  readonly num_reasoning_tokens: number;
  readonly time_to_first_token_ns: number;
  readonly cost: number;
  readonly call: 'embedding' | 'rerank';
  /** That the step failed, where the status does not tell it. */
  readonly failed: true;
  readonly error_text: string;
  readonly session: string;
  readonly user_id: string;
  readonly tags: readonly string[];
  readonly trace_name: string;
  readonly trace_input: string;
  readonly trace_output: string;
  readonly dataset_input: string;
  readonly dataset_output: string;
  readonly dataset_metadata: Readonly<Record<string, string>>;
}

/** One place where a field may stand. */
export interface Source<T> {
  /** Place among the sources of this field in all dialects: the lowest that has a value wins. */
  readonly rank: number;
  /** Undefined when this span does not have it, or not in a form that makes sense. */
  readonly read: (reader: SpanReader) => T | undefined;
}

export type Sources = { readonly [F in keyof DialectFields]?: readonly Source<DialectFields[F]>[] };

/** The words of one convention. Ranks make its order with the others explicit, so a span that speaks several is no problem. */
export interface Dialect {
  readonly id: string;
  readonly sources: Sources;
  /** Keys under these prefixes are metadata of the user's, known by what follows the prefix. */
  readonly metadata_prefixes?: readonly string[];
  /** Attributes that hold metadata of the user's as one object. */
  readonly metadata_objects?: readonly string[];
  /** Keys under these prefixes are never kept: they may hold credentials. */
  readonly secret_prefixes?: readonly string[];
}

export const source = <T>(rank: number, read: (reader: SpanReader) => T | undefined): Source<T> => ({ rank, read });
export const textAt = (rank: number, key: string): Source<string> => source(rank, (reader) => reader.text(key));
export const unquotedAt = (rank: number, key: string): Source<string> => source(rank, (reader) => reader.unquoted(key));
export const numberAt = (rank: number, key: string): Source<number> => source(rank, (reader) => reader.number(key));

/** A count is whole and not negative; what is neither is no count. */
export const countAt = (rank: number, key: string): Source<number> => source(rank, (reader) => toCount(reader.number(key)));

export function toCount(number: number | undefined): number | undefined {
  const whole = number === undefined ? undefined : Math.round(number);
  return whole !== undefined && whole >= 0 && Number.isSafeInteger(whole) ? whole : undefined;
}

/** Values come from outside: `constructor` is in no table. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
