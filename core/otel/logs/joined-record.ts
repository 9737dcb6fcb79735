import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { LogRecord } from '../../traces/record.ts';
import type { StoredOfTrace, TextName } from '../spans/span-outline.ts';

/** Values by where they stand in a record: `input`, `output`, or `<attributes, metrics or user_metadata>/<name>`. */
export type RecordValues = readonly (readonly [place: string, value: JsonValue])[];

type Section = 'attributes' | 'metrics' | 'user_metadata';

/**
 * A record of a span while values are added to it that came beside the span. Which ones came so stands in the record, so that they
 * can be replaced later; what the span itself said stays.
 */
export class JoinedRecord {
  readonly #record: LogRecord;
  readonly #places: Set<string>;
  readonly #payloads: Partial<Record<'input' | 'output', JsonValue>> = {};
  readonly #sections: Record<Section, Record<string, JsonValue>> = { attributes: {}, metrics: {}, user_metadata: {} };
  #isChanged = false;

  constructor(record: LogRecord) {
    this.#record = record;
    this.#places = new Set((record.attributes.from_logs as readonly string[] | undefined) ?? []);
  }

  /** Adds what the record has room for. Returns whether nothing was left out but what it says already. */
  add(values: RecordValues): boolean {
    let hasRoom = true;
    for (const [place, value] of values) {
      const there = this.#get(place);
      if (isBlank(value) || JSON.stringify(there) === JSON.stringify(value)) continue;
      if (this.#places.has(place) || isBlank(there)) this.#set(place, value);
      else hasRoom = false;
    }
    return hasRoom;
  }

  finish(): LogRecord {
    if (!this.#isChanged) return this.#record;
    const { attributes, metrics, user_metadata } = this.#record;
    const told = { from_logs: [...this.#places].sort(), of_trace: this.#toOfTrace() };
    return {
      ...this.#record,
      ...this.#payloads,
      metrics: { ...(metrics as JsonObject), ...this.#sections.metrics },
      user_metadata: { ...user_metadata, ...(this.#sections.user_metadata as Record<string, string>) },
      attributes: { ...attributes, ...this.#sections.attributes, ...(told as unknown as JsonObject) },
    };
  }

  /** The trace takes its texts from its spans: those that have any. */
  #toOfTrace(): StoredOfTrace {
    const of_trace = this.#record.attributes.of_trace as unknown as StoredOfTrace;
    const added = (['input', 'output'] as const).filter((side) => this.#payloads[side] !== undefined);
    const texts = [...new Set<TextName>([...of_trace.texts, ...added.map((side) => `${side}_text` as const)])];
    const strong = Object.fromEntries(added.map((side) => [`${side}_is_weak`, false]));
    return { ...of_trace, ...strong, texts };
  }

  #get(place: string): JsonValue | undefined {
    if (place === 'input' || place === 'output') return this.#payloads[place] ?? this.#record[place];
    const [section, name] = toPath(place);
    const own = this.#sections[section];
    if (Object.hasOwn(own, name)) return own[name];
    const stored = this.#record[section] as JsonObject;
    return Object.hasOwn(stored, name) ? stored[name] : undefined;
  }

  #set(place: string, value: JsonValue): void {
    this.#isChanged = true;
    this.#places.add(place);
    if (place === 'input' || place === 'output') {
      this.#payloads[place] = value;
      return;
    }
    const [section, name] = toPath(place);
    Object.defineProperty(this.#sections[section], name, { value, enumerable: true, configurable: true, writable: true });
  }
}

const toPath = (place: string): [Section, string] => {
  const at = place.indexOf('/');
  return [place.slice(0, at) as Section, place.slice(at + 1)];
};

const isBlank = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
