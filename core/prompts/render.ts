import { AppError } from '../kernel/errors.ts';
import type { JsonValue } from '../kernel/json.ts';
import { findJsonExcess, JSON_OF_RECORDS } from '../kernel/json-scan.ts';
import { mapTexts, type PromptContent, textsIn } from './prompt-text.ts';

/** Values of variables, by name: a row of a dataset by its columns, for one. */
export type Values = Readonly<Record<string, JsonValue>>;

export interface Rendered<T> {
  readonly result: T;
  /** Variables without a value, each once: they were left as they stand. */
  readonly missing: readonly string[];
}

const encoder = new TextEncoder();
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
  const filling = new Filling(values);
  const result = mapTexts(content, (text) => filling.fill(text));
  return { result, missing: filling.missing };
}

export function renderText(text: string, values: Values): Rendered<string> {
  const filling = new Filling(values);
  const result = filling.fill(text);
  return { result, missing: filling.missing };
}

/** Characters of all texts of a template when they are filled. */
export const MAX_RENDERED = 32 * 1024 * 1024;
/** Longer names than columns have, with the names inside of maps behind them. */
const MAX_NAME = 10_000;

/** Puts values into texts. Each name is looked up once and each text of a map parsed once, however often a template names them. */
class Filling {
  readonly #values: Values;
  readonly #texts = new Map<string, string | undefined>();
  readonly #maps = new Map<string, Values | undefined>();
  readonly #missing = new Set<string>();
  #length = 0;

  constructor(values: Values) {
    this.#values = values;
  }

  /** Names without a value, each once. */
  get missing(): string[] {
    return [...this.#missing];
  }

  /** Throws AppError `rendered_too_large` when all that was filled is longer than `MAX_RENDERED`. */
  fill(text: string): string {
    this.#grow(text.length);
    return text.replaceAll(VARIABLE, (placeholder, inner: string) => {
      const name = inner.trim();
      const value = this.#find(name);
      if (value === undefined) {
        this.#missing.add(name);
        return placeholder;
      }
      this.#grow(value.length - placeholder.length);
      return value;
    });
  }

  #grow(by: number): void {
    this.#length += by;
    if (this.#length <= MAX_RENDERED) return;
    const msg = `the text would be longer than ${MAX_RENDERED} characters`;
    const issue = { loc: ['body', 'template'], msg, type: 'rendered_too_large' };
    throw new AppError('invalid', 'rendered_too_large', msg, { issues: [issue] });
  }

  #find(name: string): string | undefined {
    if (!this.#texts.has(name)) {
      const value = name.length > MAX_NAME ? undefined : this.#lookUp(name);
      this.#texts.set(name, value === undefined ? undefined : asText(value));
    }
    return this.#texts.get(name);
  }

  /** A column may have a dot in its name, so the whole name is tried first. */
  #lookUp(whole: string): JsonValue | undefined {
    let values: Values | undefined = this.#values;
    let name = whole;
    while (values) {
      if (Object.hasOwn(values, name)) return values[name];
      const dot = name.indexOf('.');
      if (dot < 1 || !Object.hasOwn(values, name.slice(0, dot))) return undefined;
      values = this.#toMap(values[name.slice(0, dot)]!);
      name = name.slice(dot + 1);
    }
    return undefined;
  }

  #toMap(value: JsonValue): Values | undefined {
    if (typeof value !== 'string') return mapIn(value);
    if (!this.#maps.has(value)) this.#maps.set(value, mapIn(value));
    return this.#maps.get(value);
  }
}

/** A map, or the map whose JSON a text is. */
export function mapIn(value: JsonValue): Values | undefined {
  if (typeof value === 'string') return value.trimStart().startsWith('{') ? mapIn(parsed(value)) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined;
}

function parsed(text: string): JsonValue {
  if (findJsonExcess(encoder.encode(text), JSON_OF_RECORDS)) return null;
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
