import type { JsonValue } from '../kernel/json.ts';
import { mapTexts, type PromptContent, textsIn } from './prompt-text.ts';

/** Values of variables, by name: a row of a dataset by its columns, for one. */
export type Values = Readonly<Record<string, JsonValue>>;

export interface Rendered<T> {
  readonly result: T;
  /** Variables without a value, each once: they were left as they stand. */
  readonly missing: readonly string[];
}

const VARIABLE = /\{\{([^{}]+)\}\}/g;

/** Names of the variables in order of appearance, each once. */
export function variablesIn(content: PromptContent): string[] {
  const found = textsIn(content).flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name!.trim()));
  return [...new Set(found)].filter((name) => name !== '');
}

/**
 * Puts values in the place of `{{name}}`. Texts go in as they are, null as nothing, anything else as JSON text. `{{a.b}}`
 * takes `b` out of `a`, where that is a map or a text that holds one. What values say is not looked through for variables.
 */
export function render(content: PromptContent, values: Values): Rendered<PromptContent> {
  const missing = new Set<string>();
  const result = mapTexts(content, (text) => filled(text, values, missing));
  return { result, missing: [...missing] };
}

export function renderText(text: string, values: Values): Rendered<string> {
  const missing = new Set<string>();
  const result = filled(text, values, missing);
  return { result, missing: [...missing] };
}

const filled = (text: string, values: Values, missing: Set<string>): string =>
  text.replaceAll(VARIABLE, (placeholder, inner: string) => {
    const value = lookUp(values, inner.trim());
    if (value !== undefined) return asText(value);
    missing.add(inner.trim());
    return placeholder;
  });

/** A column may have a dot in its name, so the whole name is tried first. */
function lookUp(values: Values, name: string): JsonValue | undefined {
  if (Object.hasOwn(values, name)) return values[name];
  const dot = name.indexOf('.');
  if (dot < 1 || !Object.hasOwn(values, name.slice(0, dot))) return undefined;
  const inner = mapIn(values[name.slice(0, dot)]!);
  return inner && lookUp(inner, name.slice(dot + 1));
}

/** A map, or the map whose JSON a text is. */
export function mapIn(value: JsonValue): Values | undefined {
  if (typeof value === 'string') return value.trimStart().startsWith('{') ? mapIn(parsed(value)) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function asText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value for each variable, to try a template with: its own name; for `a.b` a map under `a`. */
export function sampleFor(variables: readonly string[]): Values {
  const sample = new Map<string, JsonValue>();
  for (const name of variables) {
    const dot = name.indexOf('.');
    const [outer, inner] = dot < 1 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
    const before = mapIn(sample.get(outer) ?? null);
    if (inner === undefined) sample.set(outer, before ?? outer);
    else sample.set(outer, Object.fromEntries([...Object.entries(before ?? {}), [inner, inner]]));
  }
  return Object.fromEntries(sample);
}
