import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import {
  type FlatList,
  findFirst,
  flatLists,
  parseNumber,
  type SpanEvent,
  type SpanFacts,
  type SpanReader,
  structuredList,
  textList,
  toJsonText,
  toStructured,
  unquote,
} from '../../plugin-sdk/otel/index.ts';
import { freezeValues, ReadOnlyAttributes } from './frozen-attributes.ts';
import { getKindName, type OtlpAttributes, type OtlpSpan } from './otlp-span.ts';

/** Where one of our own attributes may stand: on the span, or on the resource for all of its spans. */
export interface OwnPlaces {
  readonly resource: OtlpAttributes;
  /** Prefixes of attributes that are addressed to the service. */
  readonly prefixes: readonly string[];
}

/**
 * The reader of one span that dialects are given. They are code of others: neither the span nor what it holds can be changed by it.
 * What follows `events` in the class is for the service itself, and no part of the SDK.
 */
export class TrackingSpanReader implements SpanReader {
  readonly #span: OtlpSpan;
  readonly #scope: string;
  readonly #own: OwnPlaces;
  /** Keys and events in the order they were used; an attempt that fails takes back what it wrote. */
  readonly #used: (string | SpanEvent | Rest)[] = [];
  #lists: ReadonlyMap<string, FlatList<string>> | undefined;
  #events: readonly SpanEvent[] | undefined;
  #facts: SpanFacts | undefined;

  constructor(span: OtlpSpan, scope: string, own: OwnPlaces) {
    this.#span = span;
    this.#scope = scope;
    this.#own = own;
    freezeValues(span.attributes);
  }

  get facts(): SpanFacts {
    const { name, kind, start_unix_nano, end_unix_nano, status } = this.#span;
    this.#facts ??= Object.freeze({
      name,
      kind: getKindName(kind),
      scope: this.#scope,
      start_unix_nano,
      end_unix_nano,
      status: Object.freeze({ ...status }) as SpanFacts['status'],
    });
    return this.#facts;
  }

  attempt<T>(read: (reader: this) => T | undefined): T | undefined {
    const before = this.#used.length;
    const found = read(this);
    if (found === undefined) this.#used.length = before;
    return found;
  }

  glance<T>(read: (reader: this) => T | undefined): T | undefined {
    const before = this.#used.length;
    const found = read(this);
    this.#used.length = before;
    return found;
  }

  has(key: string): boolean {
    return this.#span.attributes.has(key);
  }

  hasUnder(...prefixes: readonly string[]): boolean {
    for (const key of this.#span.attributes.keys()) for (const prefix of prefixes) if (key.startsWith(prefix)) return true;
    return false;
  }

  peek(key: string): JsonValue | undefined {
    return this.#span.attributes.get(key) ?? undefined;
  }

  value(key: string | undefined): JsonValue | undefined {
    const value = key === undefined ? undefined : this.peek(key);
    if (value !== undefined) this.#mark(key!);
    return value;
  }

  text(key: string | undefined): string | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : toJsonText(value) || undefined;
  }

  peekText(key: string): string | undefined {
    const value = this.peek(key);
    return value === undefined ? undefined : toJsonText(value) || undefined;
  }

  unquoted(key: string): string | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : unquote(value) || undefined;
  }

  number(key: string): number | undefined {
    const number = parseNumber(this.peek(key));
    if (number !== undefined) this.#mark(key);
    return number;
  }

  objects(key: string): JsonObject[] | undefined {
    const objects = structuredList(this.peek(key));
    if (objects) this.#mark(key);
    return objects;
  }

  tags(key: string): string[] | undefined {
    const value = this.value(key);
    const tags = value === undefined ? [] : textList(value);
    return tags.length > 0 ? tags : undefined;
  }

  member(key: string, ...names: readonly string[]): JsonValue | undefined {
    const value = this.peek(key);
    return value === undefined ? undefined : findFirst(toStructured(value), ...names);
  }

  list(prefix: string): FlatList<string> {
    this.#lists ??= flatLists([...this.#span.attributes.keys()].map((key) => [key, key] as const));
    return this.#lists.get(prefix) ?? [];
  }

  events(...names: readonly string[]): readonly SpanEvent[] {
    return this.#allEvents.filter(({ name }) => names.includes(name));
  }

  keepRest(key: string, rest: JsonObject): void {
    this.#used.push(new Rest(key, rest));
  }

  useEvent(event: SpanEvent): void {
    this.#used.push(event);
  }

  /** One of our own attributes, under any of the prefixes they may have. */
  ownText(name: string): string | undefined {
    for (const prefix of this.#own.prefixes) {
      const text = this.text(prefix + name);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The same, which the resource may carry for all of its spans. */
  ownTextAnywhere(name: string): string | undefined {
    const { prefixes, resource } = this.#own;
    const key = prefixes.map((prefix) => prefix + name).find((candidate) => resource.has(candidate));
    return this.ownText(name) ?? (key === undefined ? undefined : toJsonText(resource.get(key) ?? '') || undefined);
  }

  get unusedAttributes(): [string, JsonValue][] {
    const used = new Set(this.#used);
    const rests = new Map(this.#used.filter((one) => one instanceof Rest).map(({ key, rest }) => [key, rest]));
    const unused: [string, JsonValue][] = [];
    for (const [key, value] of this.#span.attributes) {
      const left = used.has(key) ? rests.get(key) : value;
      if (left !== undefined) unused.push([key, left]);
    }
    return unused;
  }

  get unusedEvents(): SpanEvent[] {
    const used = new Set(this.#used);
    return this.#allEvents.filter((event) => !used.has(event));
  }

  /** Whether the event at this place among all of the span was used. */
  isUsed(at: number): boolean {
    return this.#used.includes(this.#allEvents[at]!);
  }

  get #allEvents(): readonly SpanEvent[] {
    this.#events ??= this.#span.events.map(({ name, time_unix_nano, attributes }) =>
      Object.freeze({ name, time_unix_nano, attributes: new ReadOnlyAttributes(attributes) }),
    );
    return this.#events;
  }

  #mark(key: string): void {
    this.#used.push(key);
  }
}

/** The part of a used attribute that nobody used. */
class Rest {
  readonly key: string;
  readonly rest: JsonObject;

  constructor(key: string, rest: JsonObject) {
    this.key = key;
    this.rest = rest;
  }
}
