import type { JsonObject, JsonValue } from '../json.ts';
import { findFirst, getOwn, isJsonObject, toJsonText, toStructured } from './json-text.ts';

/** Document of a retriever's output, as records keep it. */
export interface OtelDocument {
  readonly content: string;
  readonly metadata: JsonObject;
}

const FACTS = ['id', 'score', 'source', 'distance'] as const;

/** The documents in a list, or in an object that holds one. Undefined when the value is nothing of that kind. */
export function toDocuments(value: JsonValue | undefined): OtelDocument[] | undefined {
  const read = toStructured(value ?? null);
  const items = Array.isArray(read) ? (read as readonly JsonValue[]) : toStructured(getOwn(read, 'documents') ?? null);
  return Array.isArray(items) ? items.map(toDocument) : undefined;
}

export function toDocument(item: JsonValue): OtelDocument {
  if (!isJsonObject(item)) return { content: toJsonText(item), metadata: {} };
  const metadata = toStructured(getOwn(item, 'metadata') ?? null);
  const facts = FACTS.filter((name) => (getOwn(item, name) ?? null) !== null).map((name) => [name, item[name]!] as const);
  const all = [...(isJsonObject(metadata) ? Object.entries(metadata) : []), ...facts].map(([key, fact]) => [key, plain(fact)]);
  return {
    content: toJsonText(findFirst(item, 'content', 'page_content', 'text', 'document') ?? ''),
    metadata: Object.fromEntries(all),
  };
}

const plain = (value: JsonValue): JsonValue => (typeof value === 'object' ? JSON.stringify(value) : value);
