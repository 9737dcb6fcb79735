import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject, toStructured } from './json-text.ts';

/** A list of objects, the whole of it or its items as JSON text. Undefined when it is empty or anything else. */
export function structuredList(value: JsonValue | undefined): JsonObject[] | undefined {
  const list = toStructured(value ?? null);
  const items = Array.isArray(list) ? (list as readonly JsonValue[]).map(toStructured) : [];
  return items.length > 0 && items.every(isJsonObject) ? (items as JsonObject[]) : undefined;
}

/** A list of strings: a real one, JSON text of one, or texts with commas between them. */
export function textList(value: JsonValue): string[] {
  const list = toStructured(value);
  const items = Array.isArray(list) ? (list as readonly JsonValue[]) : typeof list === 'string' ? list.split(',') : [];
  return items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)).trim()).filter((item) => item !== '');
}
