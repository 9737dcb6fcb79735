import type { SpanType } from '../../traces/catalogue/span-types.ts';
import type { JsonValue } from '../json.ts';
import type { PluginHead } from '../plugin.ts';
import type { OtelMessage } from './message.ts';
import type { OtelDocument } from './retrieved-documents.ts';
import type { SpanReader } from './span-reader.ts';

/** Fields of a span, whichever vocabulary it uses. Whatever a dialect does not read is left to others, and at last to metadata. */
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
  /** Prompt template of the call, by its name, and its version: a number or a label. */
  readonly prompt_name: string;
  readonly prompt_version: string;
  /** Id that the provider gave its response: a call that two instrumentations saw counts once for the trace. Kept in the metadata. */
  readonly response_id: string;
  readonly tools: readonly JsonValue[];
  readonly tool_call_id: string;
  /** Counts are whole numbers, 0 or more. With cached tokens; where a vendor counts them apart, they are added. */
  readonly num_input_tokens: number;
  readonly num_output_tokens: number;
  readonly num_total_tokens: number;
  readonly num_cached_input_tokens: number;
  readonly num_cache_write_input_tokens: number;
  readonly num_reasoning_tokens: number;
  readonly time_to_first_token_ns: number;
  /** US dollars, 0 or more. */
  readonly cost: number;
  /** A call of a model whose span is not of type `llm`: its tokens and cost count for the trace. */
  readonly call: 'embedding' | 'rerank';
  /** That the step failed, where the status does not tell it. */
  readonly failed: true;
  readonly error_text: string;
  /** The external id of the session. */
  readonly session: string;
  readonly user_id: string;
  /** The tags of all sources are joined. */
  readonly tags: readonly string[];
  /** Of the trace that the span is in; of several spans the first that says it counts. */
  readonly trace_name: string;
  readonly trace_input: string;
  readonly trace_output: string;
  readonly dataset_input: string;
  readonly dataset_output: string;
  readonly dataset_metadata: Readonly<Record<string, string>>;
}

const FIELDS: Readonly<Record<keyof DialectFields, true>> = {
  type: true,
  agent_type: true,
  check_stage: true,
  tool_name: true,
  agent_name: true,
  entity_name: true,
  input_messages: true,
  output_messages: true,
  input_text: true,
  output_text: true,
  weak_input_text: true,
  weak_output_text: true,
  event_input_text: true,
  event_output_text: true,
  documents: true,
  model: true,
  temperature: true,
  finish_reason: true,
  prompt_name: true,
  prompt_version: true,
  response_id: true,
  tools: true,
  tool_call_id: true,
  num_input_tokens: true,
  num_output_tokens: true,
  num_total_tokens: true,
  num_cached_input_tokens: true,
  num_cache_write_input_tokens: true,
  num_reasoning_tokens: true,
  time_to_first_token_ns: true,
  cost: true,
  call: true,
  failed: true,
  error_text: true,
  session: true,
  user_id: true,
  tags: true,
  trace_name: true,
  trace_input: true,
  trace_output: true,
  dataset_input: true,
  dataset_output: true,
  dataset_metadata: true,
};
/** The names of all fields. */
export const DIALECT_FIELDS = Object.keys(FIELDS) as readonly (keyof DialectFields)[];

/** One place where a field may stand. */
export interface Source<T> {
  /** Place among the sources of this field in all dialects: the lowest that has a value wins. Above 0; see `RANK`. */
  readonly rank: number;
  /** Undefined when this span does not have it, or not in a form that makes sense. Synchronous; keeps nothing between spans. */
  readonly read: (reader: SpanReader) => T | undefined;
  /** The attribute without which it finds nothing; it is not asked where that is missing. */
  readonly needs?: string;
}

/**
 * Where the sources of a dialect stand that shares no attribute with the conventions that are built in: these have ranks from 1 to
 * 20. Of equal ranks a built-in source goes before another, and of the others the one that `PLUGINS` names first. What is addressed to
 * the service itself goes before all.
 */
export const RANK = { beforeConventions: 0.5, afterConventions: 100 } as const;

export type Sources = { readonly [F in keyof DialectFields]?: readonly Source<DialectFields[F]>[] };

/** Which spans a dialect is asked about: those with one of these. Names of attributes and events that end in a dot are prefixes. */
export interface Recognition {
  /** Names of instrumentation scopes. */
  readonly scopes?: readonly string[];
  readonly attributes?: readonly string[];
  readonly events?: readonly string[];
}

/** The vocabulary of one convention. Ranks make its order with the others explicit, so a span that uses several is no problem. */
export interface OtelDialectPlugin extends PluginHead {
  readonly kind: 'otel_dialect';
  /** The name to show. */
  readonly label: string;
  readonly recognizes: Recognition;
  readonly sources: Sources;
  /** Keys under these prefixes are metadata of the user's, known by what follows the prefix. */
  readonly metadata_prefixes?: readonly string[];
  /** Attributes that hold metadata of the user's as one object. */
  readonly metadata_objects?: readonly string[];
  /** Keys under these prefixes are never kept, whichever span has them: they may hold credentials. */
  readonly secret_prefixes?: readonly string[];
}

export function defineOtelDialect(plugin: Omit<OtelDialectPlugin, 'kind'>): OtelDialectPlugin {
  return Object.freeze({ ...plugin, kind: 'otel_dialect' as const });
}

/** A place of a field, read by a function. */
export const source = <T>(rank: number, read: (reader: SpanReader) => T | undefined): Source<T> => ({ rank, read });
/** The same with an attribute that it needs. Of nearly all places that a span is asked for, it has nothing in them. */
const sourceAt = <T>(rank: number, needs: string, read: (reader: SpanReader) => T | undefined): Source<T> => ({
  rank,
  needs,
  read,
});
export const textAt = (rank: number, key: string): Source<string> => sourceAt(rank, key, (reader) => reader.text(key));
/** As `textAt`, of an attribute that is kept in the metadata as well. */
export const peekedAt = (rank: number, key: string): Source<string> => sourceAt(rank, key, (reader) => reader.peekText(key));
export const unquotedAt = (rank: number, key: string): Source<string> => sourceAt(rank, key, (reader) => reader.unquoted(key));
export const numberAt = (rank: number, key: string): Source<number> => sourceAt(rank, key, (reader) => reader.number(key));

/** Source of an amount; a negative number is no amount, say of money. */
export const amountAt = (rank: number, key: string): Source<number> =>
  sourceAt(rank, key, (reader) => toAmount(reader.number(key)));

/** A count is whole and not negative; what is neither is no count. */
export const countAt = (rank: number, key: string): Source<number> =>
  sourceAt(rank, key, (reader) => toCount(reader.number(key)));

export function toCount(number: number | undefined): number | undefined {
  const whole = number === undefined ? undefined : Math.round(number);
  return whole !== undefined && whole >= 0 && Number.isSafeInteger(whole) ? whole : undefined;
}

export const toAmount = (number: number | undefined): number | undefined =>
  number !== undefined && number >= 0 && Number.isFinite(number) ? number : undefined;

/** Values come from outside: `constructor` is in no table. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string | undefined): T | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
