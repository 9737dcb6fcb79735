import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject, toStructured } from '../../../core/plugin-sdk/otel/index.ts';
import type { SourceRow } from '../source-row.ts';

/** Attributes that are objects as they are sent. Everything else that is one was flattened when it was sent. */
const WHOLE = /^(metadata|llm\.invocation_parameters|llm\.prompt_template\.variables|.*\.json_schema|.*\.arguments)$/;
/** Columns of tables that hold lists or objects; text of JSON in any other is the text that it is. */
const STRUCTURED = /(messages|documents|tools|prompts|choices|embeddings|tags|metadata|tool_calls)$/;
const COLUMN = 'attributes.';

/** Attributes of a span as they were sent: out of columns called after them, or out of one object. */
export function toAttributes(row: SourceRow): JsonObject {
  const flat: Record<string, JsonValue> = {};
  for (const name of row.names.filter((one) => one.startsWith(COLUMN))) {
    const key = name.slice(COLUMN.length);
    const value = STRUCTURED.test(key) ? row.structured(name) : row.value(name);
    if (value !== undefined) flatten(key, value, flat);
  }
  const whole = row.structured('attributes');
  if (isJsonObject(whole)) for (const [key, value] of Object.entries<JsonValue>(whole)) flatten(key, value, flat);
  else if (Array.isArray(whole)) for (const [key, value] of entriesOf(whole as readonly JsonValue[])) flatten(key, value, flat);
  return flat;
}

function flatten(key: string, value: JsonValue, into: Record<string, JsonValue>): void {
  if (value === null) return;
  if (WHOLE.test(key) || typeof value !== 'object') into[key] = value;
  else if (!Array.isArray(value))
    for (const [name, child] of Object.entries<JsonValue>(value as JsonObject)) flatten(`${key}.${name}`, child, into);
  else if (value.length > 0 && value.every(isJsonObject))
    for (const [at, child] of value.entries()) flatten(`${key}.${at}`, child, into);
  else into[key] = value;
}

/** Attributes as OTLP writes them in JSON: a list of keys and typed values. */
function entriesOf(list: readonly JsonValue[]): [string, JsonValue][] {
  return list
    .filter(isJsonObject)
    .flatMap((one): [string, JsonValue][] => (typeof one.key === 'string' ? [[one.key, toPlain(one.value ?? null)]] : []));
}

function toPlain(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const [found] = Object.entries<JsonValue>(value).filter(([, one]) => one !== null);
  if (found === undefined) return null;
  const inner = isJsonObject(found[1]) ? toStructured(found[1].values ?? null) : found[1];
  if (!Array.isArray(inner)) return /^(int|double)/.test(found[0]) ? Number(inner) : inner;
  return /^kvlist/.test(found[0])
    ? Object.fromEntries(entriesOf(inner as readonly JsonValue[]))
    : (inner as readonly JsonValue[]).map(toPlain);
}
