import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { findFirst, isObject, own, structured, toJsonText } from './json-text.ts';

/** What a retriever answered, as records keep it. */
export interface OtelDocument {
  readonly content: string;
  readonly metadata: JsonObject;
}

const FACTS = ['id', 'score', 'source', 'distance'] as const;

/** The documents in a list, or in an object that holds one. Undefined when the value is nothing of that kind. */
export function toDocuments(value: JsonValue | undefined): OtelDocument[] | undefined {
  const read = structured(value ?? null);
  const items = Array.isArray(read) ? (read as readonly JsonValue[]) : structured(own(read, 'documents') ?? null);
  return Array.isArray(items) ? items.map(toDocument) : undefined;
}

export function toDocument(item: JsonValue): OtelDocument {
  if (!isObject(item)) return { content: toJsonText(item), metadata: {} };
  const metadata = structured(own(item, 'metadata') ?? null);
  const facts = FACTS.filter((name) => (own(item, name) ?? null) !== null).map((name) => [name, item[name]!] as const);
  const all = [...(isObject(metadata) ? Object.entries(metadata) : []), ...facts].map(([key, fact]) => [key, plain(fact)]);
  return {
    content: toJsonText(findFirst(item, 'content', 'page_content', 'text', 'document') ?? ''),
    metadata: Object.fromEntries(all),
  };
}

const plain = (value: JsonValue): JsonValue => (typeof value === 'object' ? JSON.stringify(value) : value);
