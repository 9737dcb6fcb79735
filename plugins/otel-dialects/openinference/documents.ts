import {
  type JsonValue,
  type OtelDocument,
  parseJsonText,
  type SpanReader,
  toDocument,
  toJsonText,
} from '../../../core/plugin-sdk/index.ts';

/** Documents that were flattened under `prefix`. Undefined when there are none. */
export function flattenedDocuments(reader: SpanReader, prefix: string): OtelDocument[] | undefined {
  const items = reader.list(prefix).map((item) => {
    const at = (name: string): [string, JsonValue][] => {
      const value = reader.value(item.get(`document.${name}`));
      return value === undefined ? [] : [[name, value]];
    };
    const metadata = at('metadata').map(([name, value]): [string, JsonValue] => [name, toMetadata(value)]);
    return Object.fromEntries([...['content', 'id', 'score'].flatMap(at), ...metadata]);
  });
  return items.length > 0 ? items.map(toDocument) : undefined;
}

/** Metadata that is no JSON object after all is kept as the text it is. */
function toMetadata(value: JsonValue): JsonValue {
  const parsed = typeof value === 'string' ? parseJsonText(value) : value;
  return typeof parsed === 'object' && !Array.isArray(parsed) ? parsed : { metadata: toJsonText(value) };
}
