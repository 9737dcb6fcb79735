import type { JsonValue } from '../../kernel/json.ts';
import type { OtlpAttributes } from './otlp-span.ts';

/** Attributes behind a wall: a dialect that writes to them throws, and nothing is changed. */
export class ReadOnlyAttributes implements OtlpAttributes {
  readonly #attributes: OtlpAttributes;

  constructor(attributes: OtlpAttributes) {
    this.#attributes = attributes;
    freezeValues(attributes);
  }

  get size(): number {
    return this.#attributes.size;
  }

  get(key: string): JsonValue | undefined {
    return this.#attributes.get(key);
  }

  has(key: string): boolean {
    return this.#attributes.has(key);
  }

  forEach(call: (value: JsonValue, key: string, map: OtlpAttributes) => void): void {
    for (const [key, value] of this.#attributes) call(value, key, this);
  }

  keys() {
    return this.#attributes.keys();
  }

  values() {
    return this.#attributes.values();
  }

  entries() {
    return this.#attributes.entries();
  }

  [Symbol.iterator]() {
    return this.#attributes[Symbol.iterator]();
  }
}

/** Freezes arrays and objects among the values, and what is inside them. */
export function freezeValues(attributes: OtlpAttributes): void {
  for (const value of attributes.values()) freeze(value);
}

function freeze(value: JsonValue): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const child of Object.values<JsonValue>(value)) freeze(child);
}
