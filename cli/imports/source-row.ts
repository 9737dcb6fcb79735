import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import { isJsonObject, parseNumber, toJsonText, toStructured } from '../../core/plugin-sdk/otel/index.ts';
import { toNanos } from './source-time.ts';

/**
 * One row of an export, which remembers what was read of it: what nobody read is kept as metadata and reported, so that nothing
 * disappears silently. Names are tried in their order, since the same field is spelled differently by API and by file.
 */
export class SourceRow {
  readonly #row: JsonObject;
  readonly #read = new Set<string>();
  readonly #kept: string[];

  constructor(row: JsonObject, kept: string[] = []) {
    this.#row = row;
    this.#kept = kept;
  }

  /** An object inside of the row as a row of its own: what is kept of it counts as kept of this one. */
  inner(object: JsonObject): SourceRow {
    return new SourceRow(object, this.#kept);
  }

  has(...names: readonly string[]): boolean {
    return names.some((name) => Object.hasOwn(this.#row, name));
  }

  /** The first of these fields with a value; an empty text is none. All of them count as read. */
  value(...names: readonly string[]): JsonValue | undefined {
    for (const name of names) this.#read.add(name);
    const found = names.find((name) => isFilled(this.#row, name));
    return found === undefined ? undefined : this.#row[found];
  }

  text(...names: readonly string[]): string | undefined {
    const found = this.value(...names);
    return found === undefined ? undefined : toJsonText(found);
  }

  number(...names: readonly string[]): number | undefined {
    return parseNumber(this.value(...names));
  }

  /** Yes and no may be text, as in CSV. */
  flag(...names: readonly string[]): boolean | undefined {
    const found = this.value(...names);
    if (typeof found === 'boolean') return found;
    if (typeof found !== 'string' || !/^(true|false)$/i.test(found)) return undefined;
    return found.toLowerCase() === 'true';
  }

  /** Nanoseconds since 1970, in digits. */
  time(...names: readonly string[]): string | null {
    return toNanos(this.value(...names));
  }

  /** A value that may have been written as JSON text. */
  structured(...names: readonly string[]): JsonValue | undefined {
    const found = this.value(...names);
    return found === undefined ? undefined : toStructured(found);
  }

  object(...names: readonly string[]): JsonObject | undefined {
    const found = this.structured(...names);
    return isJsonObject(found) ? found : undefined;
  }

  list(...names: readonly string[]): readonly JsonValue[] {
    const found = this.structured(...names);
    return Array.isArray(found) ? (found as readonly JsonValue[]) : [];
  }

  texts(...names: readonly string[]): string[] {
    return this.list(...names).map(toJsonText);
  }

  /** Says of fields that nothing is lost with them: they repeat what others say. */
  skip(...names: readonly string[]): void {
    for (const name of names) this.#read.add(name);
  }

  /** Fields with a value that nobody read, to be kept as metadata. */
  rest(): [string, JsonValue][] {
    const rest = Object.entries<JsonValue>(this.#row).filter(([name, value]) => !this.#read.has(name) && !isEmpty(value));
    for (const [name] of rest) {
      this.#read.add(name);
      this.#kept.push(name);
    }
    return rest;
  }

  /** Names of those that were kept so. */
  get kept(): readonly string[] {
    return this.#kept;
  }

  /** Names of fields with a value that nobody read and that are not kept. */
  unread(): string[] {
    return Object.entries<JsonValue>(this.#row).flatMap(([name, value]) => (this.#read.has(name) || isEmpty(value) ? [] : name));
  }

  get names(): string[] {
    return Object.keys(this.#row);
  }
}

const isFilled = (row: JsonObject, name: string): boolean =>
  Object.hasOwn(row, name) && row[name] !== null && row[name] !== undefined && row[name] !== '';

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Object.keys(value).length === 0;
}
