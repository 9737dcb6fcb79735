import type { Recognition } from '../../plugin-sdk/otel/index.ts';
import type { OtlpSpan } from '../spans/otlp-span.ts';

/** Says which of several dialects recognise a span, by one look at each of its names. Dialects are known by their place. */
export class Recognizer {
  readonly #scopes = new Names();
  readonly #attributes = new Names();
  readonly #events = new Names();

  constructor(recognitions: readonly Recognition[]) {
    for (const [place, { scopes = [], attributes = [], events = [] }] of recognitions.entries()) {
      for (const scope of scopes) this.#scopes.addName(scope, place);
      for (const name of attributes) this.#attributes.add(name, place);
      for (const name of events) this.#events.add(name, place);
    }
  }

  recognize(span: Pick<OtlpSpan, 'attributes' | 'events'>, scope: string): ReadonlySet<number> {
    const found = new Set<number>();
    this.#scopes.find(scope, found);
    for (const key of span.attributes.keys()) this.#attributes.find(key, found);
    for (const { name } of span.events) this.#events.find(name, found);
    return found;
  }
}

/** Names and prefixes of names, each with who asked for it. Prefixes are looked up by the part before their first dot. */
class Names {
  readonly #names = new Map<string, number[]>();
  readonly #prefixes = new Map<string, { readonly prefix: string; readonly place: number }[]>();

  add(name: string, place: number): void {
    if (name.endsWith('.')) this.#addPrefix(name, place);
    else this.addName(name, place);
  }

  addName(name: string, place: number): void {
    this.#names.set(name, [...(this.#names.get(name) ?? []), place]);
  }

  find(name: string, found: Set<number>): void {
    for (const place of this.#names.get(name) ?? []) found.add(place);
    const dot = name.indexOf('.');
    if (dot < 0) return;
    for (const { prefix, place } of this.#prefixes.get(name.slice(0, dot)) ?? [])
      if (!found.has(place) && name.startsWith(prefix)) found.add(place);
  }

  #addPrefix(prefix: string, place: number): void {
    const first = prefix.slice(0, prefix.indexOf('.'));
    this.#prefixes.set(first, [...(this.#prefixes.get(first) ?? []), { prefix, place }]);
  }
}
