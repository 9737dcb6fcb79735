import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { type FlatList, flatLists } from '../messages/flat-list.ts';
import { findFirst, parseNumber, structured, toJsonText, unquoted } from '../messages/json-text.ts';
import { structuredList, textList } from '../messages/structured-list.ts';
import type { OtlpAttributes, OtlpEvent, OtlpSpan } from './otlp-span.ts';

/**
 * Reads one span and remembers what was used of it. Whatever nobody used is kept beside the record, so a source has to
 * take a value with the reading methods when it uses all of it, and look at it with `peek` when it uses a part.
 */
export class SpanReader {
  readonly span: OtlpSpan;
  readonly resource: OtlpAttributes;
  readonly #ownPrefixes: readonly string[];
  /** Keys and events in the order they were used; an attempt that fails takes back what it wrote. */
  readonly #used: (string | OtlpEvent)[] = [];
  #lists: ReadonlyMap<string, FlatList<string>> | undefined;

  constructor(span: OtlpSpan, resource: OtlpAttributes, ownPrefixes: readonly string[]) {
    this.span = span;
    this.resource = resource;
    this.#ownPrefixes = ownPrefixes;
  }

  /** What `read` used counts as used only if it found something. */
  attempt<T>(read: (reader: SpanReader) => T | undefined): T | undefined {
    const before = this.#used.length;
    const found = read(this);
    if (found === undefined) this.#used.length = before;
    return found;
  }

  /** Finds the same, and uses nothing. */
  glance<T>(read: (reader: SpanReader) => T | undefined): T | undefined {
    const before = this.#used.length;
    const found = read(this);
    this.#used.length = before;
    return found;
  }

  has(key: string): boolean {
    return this.span.attributes.has(key);
  }

  hasUnder(...prefixes: readonly string[]): boolean {
    return [...this.span.attributes.keys()].some((key) => prefixes.some((prefix) => key.startsWith(prefix)));
  }

  peek(key: string): JsonValue | undefined {
    return this.span.attributes.get(key) ?? undefined;
  }

  /** A key that is not there, say of an item of a list, has no value. */
  value(key: string | undefined): JsonValue | undefined {
    const value = key === undefined ? undefined : this.peek(key);
    if (value !== undefined) this.#mark(key!);
    return value;
  }

  /** Undefined when there is none, or an empty one. */
  text(key: string | undefined): string | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : toJsonText(value) || undefined;
  }

  peekText(key: string): string | undefined {
    const value = this.peek(key);
    return value === undefined ? undefined : toJsonText(value) || undefined;
  }

  /** For senders that write everything as JSON, texts too. */
  unquoted(key: string): string | undefined {
    const value = this.value(key);
    return value === undefined ? undefined : unquoted(value) || undefined;
  }

  number(key: string): number | undefined {
    const number = parseNumber(this.peek(key));
    if (number !== undefined) this.#mark(key);
    return number;
  }

  /** A list of objects, in whichever form it came. Undefined when it is empty, or a list of anything else. */
  objects(key: string): JsonObject[] | undefined {
    const objects = structuredList(this.peek(key));
    if (objects) this.#mark(key);
    return objects;
  }

  /** A list of texts, in whichever form it came. Undefined when it is empty. */
  tags(key: string): string[] | undefined {
    const value = this.value(key);
    const tags = value === undefined ? [] : textList(value);
    return tags.length > 0 ? tags : undefined;
  }

  /** A member of an attribute that is an object, or the JSON text of one. The attribute does not count as used. */
  member(key: string, ...names: readonly string[]): JsonValue | undefined {
    const value = this.peek(key);
    return value === undefined ? undefined : findFirst(structured(value), ...names);
  }

  /** One of our own attributes, under any of the prefixes they may have. */
  ownText(name: string): string | undefined {
    for (const prefix of this.#ownPrefixes) {
      const text = this.text(prefix + name);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /** The same, which the resource may carry for all of its spans. */
  ownTextAnywhere(name: string): string | undefined {
    const key = this.#ownPrefixes.map((prefix) => prefix + name).find((candidate) => this.resource.has(candidate));
    return this.ownText(name) ?? (key === undefined ? undefined : toJsonText(this.resource.get(key) ?? '') || undefined);
  }

  /** The items of a flattened list: by number, the whole key under each rest. */
  list(prefix: string): FlatList<string> {
    this.#lists ??= flatLists([...this.span.attributes.keys()].map((key) => [key, key] as const));
    return this.#lists.get(prefix) ?? [];
  }

  events(...names: readonly string[]): readonly OtlpEvent[] {
    return this.span.events.filter(({ name }) => names.includes(name));
  }

  useEvent(event: OtlpEvent): void {
    this.#used.push(event);
  }

  get unusedAttributes(): [string, JsonValue][] {
    const used = new Set(this.#used);
    return [...this.span.attributes].filter(([key]) => !used.has(key));
  }

  get unusedEvents(): OtlpEvent[] {
    const used = new Set(this.#used);
    return this.span.events.filter((event) => !used.has(event));
  }

  #mark(key: string): void {
    this.#used.push(key);
  }
}
