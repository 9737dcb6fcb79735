import type { JsonObject, JsonValue } from '../json.ts';
import type { FlatList } from './flat-list.ts';

/** Attributes by key. Objects inside values have no prototype and are frozen. */
export type SpanAttributes = ReadonlyMap<string, JsonValue>;

export interface SpanEvent {
  readonly name: string;
  readonly time_unix_nano: bigint;
  readonly attributes: SpanAttributes;
}

/** Facts of a span besides its attributes and events. */
export interface SpanFacts {
  readonly name: string;
  /** `internal`, `server`, `client`, `producer` or `consumer`. */
  readonly kind: string;
  /** Name of the instrumentation scope, the library that made the span. */
  readonly scope: string;
  /** 0 when missing. */
  readonly start_unix_nano: bigint;
  /** 0 when the span has not ended. */
  readonly end_unix_nano: bigint;
  readonly status: { readonly code: 0 | 1 | 2; readonly message: string };
}

/**
 * Reads one span and remembers what was used of it. Whatever nobody used is kept beside the record, as metadata, so a source has to
 * take a value with the reading methods when it uses all of it, and look at it with `peek`, `peekText`, `member` or `has` when it uses
 * a part. What a source used counts as used only if it found something. Nothing of a span can be changed.
 */
export interface SpanReader {
  readonly facts: SpanFacts;

  has(key: string): boolean;
  /** Whether there is an attribute under one of these prefixes. Looks at all attributes. */
  hasUnder(...prefixes: readonly string[]): boolean;
  /** Undefined when there is none, or it is null. */
  peek(key: string): JsonValue | undefined;
  /** As `text`, using nothing. */
  peekText(key: string): string | undefined;

  /** A key that is not there, say of an item of a list, has no value. */
  value(key: string | undefined): JsonValue | undefined;
  /** Strings as they are, anything else as JSON. Undefined when there is none, or an empty one. */
  text(key: string | undefined): string | undefined;
  /** As `text`, for senders that write everything as JSON, strings too. */
  unquoted(key: string): string | undefined;
  /** Numbers may come as strings. Undefined when it is none, or not finite. */
  number(key: string): number | undefined;
  /** A list of objects, in whichever form it came. Undefined when it is empty, or a list of anything else. */
  objects(key: string): JsonObject[] | undefined;
  /** A list of strings, in whichever form it came. Undefined when it is empty. */
  tags(key: string): string[] | undefined;
  /** A member of an attribute that is an object, or the JSON text of one. The attribute does not count as used. */
  member(key: string, ...names: readonly string[]): JsonValue | undefined;
  /** The items of a list that was flattened into keys `<prefix>.<number>.<rest>`: by number, the whole key under each rest. */
  list(prefix: string): FlatList<string>;

  /** Says that of an attribute that was used this is left: it is kept under the same key in place of the whole. */
  keepRest(key: string, rest: JsonObject): void;

  /** Those of one of these names, in the order they came. */
  events(...names: readonly string[]): readonly SpanEvent[];
  /** Says that all of an event was used. */
  useEvent(event: SpanEvent): void;

  /** Runs `read`; the attributes it used count as used only if it found something. */
  attempt<T>(read: (reader: SpanReader) => T | undefined): T | undefined;
  /** Finds the same, and uses nothing. */
  glance<T>(read: (reader: SpanReader) => T | undefined): T | undefined;
}
