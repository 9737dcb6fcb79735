import type { JsonObject, JsonValue } from '../json.ts';
import { countBesideMedia, JSON_BUDGET, spendJsonBudget } from './json-budget.ts';

/** Characters of a text that is parsed, beside media in it. */
const MAX_PARSED = 1_048_576;
const STARTS_JSON = /^\s*[[{"]/;

/**
 * The value a text stands for, when it is JSON of an array, an object or a text; else undefined, as it is for a text of too many values
 * or names, alone or with the others of its span. Never an error.
 */
export function parseJsonText(text: string): JsonValue | undefined {
  if (!STARTS_JSON.test(text) || countBesideMedia(text, MAX_PARSED) > MAX_PARSED || !spendJsonBudget(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isShallow(value, JSON_BUDGET.depth) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A value that may have come as JSON text. What does not parse stays the text it is. */
export const toStructured = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? (parseJsonText(value) ?? value) : value;

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of an object's own: `__proto__` and the like are not found by accident. */
export const getOwn = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The first of these fields that is there and not null. */
export function findFirst(value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    const found = getOwn(value, key);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** Texts stay as they are, anything else becomes compact JSON. */
export const toJsonText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Some senders write every value as JSON, plain texts with quotes around them: those lose the quotes. */
export function unquote(value: JsonValue): string {
  const text = toJsonText(value);
  const parsed = text.startsWith('"') ? parseJsonText(text) : undefined;
  return typeof parsed === 'string' ? parsed : text;
}

/** Numbers may come as text. Not finite, or no number at all: undefined. */
export function parseNumber(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function isShallow(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values<JsonValue>(value).every((child) => isShallow(child, levels - 1));
}
