import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { isInlineMedia } from '../../plugin-sdk/otel/inline-media.ts';

/** Characters from which a text is kept once. A shorter one is not much longer than the words that say where it is. */
const MIN_TEXT = 64;
/** Texts inside of texts, as JSON in JSON, that are looked into. */
const MAX_DEPTH = 3;
const BACKSLASH = 0x5c;

/**
 * Texts of a span by where they are kept, such as `input[0].content`. Senders write the messages that they flatten or send as
 * events once more as the whole request and the whole response; what is found here is named there, not kept twice.
 */
export class KeptTexts {
  readonly #values: Readonly<Record<string, unknown>>;
  #places: ReadonlyMap<string, string> | undefined;

  /** @param values What is kept of the span, by the names of its fields. Not looked into before somebody asks. */
  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /**
   * The text, with `[same as <place>]` for itself or for each quoted text in it that is kept elsewhere. Quoted texts are those of
   * JSON and of Python's notation, in JSON inside of JSON too; everything else stays as it came, letter for letter. Linear in the
   * length of the text, whatever is in it.
   */
  withoutRepeats(text: string): string {
    if (text.length < MIN_TEXT) return text;
    this.#places ??= placesOf(this.#values);
    if (this.#places.size === 0) return text;
    return this.#nameOf(text) ?? this.#unrepeated(text, MAX_DEPTH);
  }

  #unrepeated(text: string, depth: number): string {
    let result = '';
    let done = 0;
    const literals = new Literals(text);
    for (let found = literals.next(); found !== undefined; found = literals.next()) {
      const [start, end] = found;
      const replaced = end - start > MIN_TEXT ? this.#inLiteral(text.slice(start, end), depth) : undefined;
      if (replaced === undefined) continue;
      result += text.slice(done, start) + replaced;
      done = end;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /** The literal without repeated texts; undefined where it has none. */
  #inLiteral(literal: string, depth: number): string | undefined {
    const quote = literal[0]!;
    const value = readLiteral(literal);
    if (value === undefined) return undefined;
    const name = this.#nameOf(value);
    if (name !== undefined) return quote + name + quote;
    if (depth === 0) return undefined;
    const inner = this.#unrepeated(value, depth - 1);
    return inner === value ? undefined : writeLiteral(inner, quote);
  }

  #nameOf(text: string): string | undefined {
    const place = this.#places!.get(text) ?? (text.startsWith('data:') ? this.#places!.get(afterComma(text)) : undefined);
    return place === undefined ? undefined : `[same as ${place}]`;
  }
}

/** Long texts in the values, each with the first place that has it. */
function placesOf(values: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const add = (value: unknown, place: string): void => {
    if (typeof value === 'string') {
      if (value.length >= MIN_TEXT && !places.has(value)) places.set(value, place);
    } else if (isInlineMedia(value as JsonValue)) {
      add((value as JsonObject).content, place);
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) add(item, `${place}[${at}]`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) add(member, `${place}.${name}`);
    }
  };
  for (const [name, value] of Object.entries(values)) add(value, name);
  return places;
}

/** Content of a data URL. */
const afterComma = (url: string): string => url.slice(url.indexOf(',') + 1);

/** Quoted texts of a text, one after the other. An apostrophe in a word begins none, nor does a quote without a partner. */
class Literals {
  readonly #text: string;
  #at = 0;
  /** The next of each quote, and the text's end where there is none. */
  readonly #quotes: Record<string, number> = { '"': -1, "'": -1 };

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the next one begins, with its quote, and where it has ended; undefined after the last one. */
  next(): readonly [start: number, end: number] | undefined {
    for (;;) {
      const start = Math.min(this.#nextOf('"'), this.#nextOf("'"));
      if (start >= this.#text.length) return undefined;
      const quote = this.#text[start]!;
      const end = this.#closing(quote, start);
      if (end !== undefined) {
        this.#at = end + 1;
        return [start, end + 1];
      }
      this.#quotes[quote] = this.#text.length;
    }
  }

  #nextOf(quote: string): number {
    if (this.#quotes[quote]! < this.#at) {
      let found = this.#text.indexOf(quote, this.#at);
      while (found > 0 && quote === "'" && isWord(this.#text[found - 1]!)) found = this.#text.indexOf(quote, found + 1);
      this.#quotes[quote] = found < 0 ? this.#text.length : found;
    }
    return this.#quotes[quote]!;
  }

  /** Backslashes before a quote are counted once: those before two quotes are not the same ones. */
  #closing(quote: string, start: number): number | undefined {
    const text = this.#text;
    for (let end = text.indexOf(quote, start + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
      let before = end - 1;
      while (before > start && text.charCodeAt(before) === BACKSLASH) before -= 1;
      if ((end - before) % 2 === 1) return end;
    }
    return undefined;
  }
}

const isWord = (letter: string): boolean => /[\p{L}\p{N}]/u.test(letter);

/** The text that a literal of JSON or of Python stands for; undefined when it is neither. */
function readLiteral(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  const json = literal.startsWith('"') ? literal : toDoubleQuoted(literal);
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}

/** A literal in single quotes as one of JSON, as far as the two escape alike. */
const toDoubleQuoted = (literal: string): string =>
  `"${literal
    .slice(1, -1)
    .replace(/\\.|"/gs, (found) => (found === "\\'" ? "'" : found === '"' ? '\\"' : found.replace('\\x', '\\u00')))}"`;

const writeLiteral = (value: string, quote: string): string =>
  quote === '"' ? JSON.stringify(value) : `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
