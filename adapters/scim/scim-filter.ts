import { AppError } from '../../core/kernel/errors.ts';

export type ScimValue = string | number | boolean | null;

/** One comparison of a filter. `path` is in lower case and without the URN of a core schema: `emails.value`. */
export interface Comparison {
  readonly path: string;
  readonly operator: string;
  readonly value: ScimValue;
}

/** Attribute, the elements of it that are meant, and the sub-attribute of these; in lower case. RFC 7644, section 3.5.2. */
export interface AttributePath {
  readonly attribute: string;
  readonly where: readonly Comparison[];
  readonly sub: string | undefined;
}

const MAX_CHARS = 2_000;
const MAX_COMPARISONS = 10;

const NAME = /[A-Za-z$_][\w$:.-]*/y;
const VALUE = /"(?:[^"\\]|\\.)*"|[A-Za-z0-9.+-]+/y;
const CORE_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/**
 * Reads comparisons that are joined by `and`, RFC 7644 section 3.4.2.2; those in brackets get the name before them. `or`, `not` and
 * parentheses are not served. Throws AppError `bad_request`.
 */
export function parseFilter(text: string): Comparison[] {
  const scanner = new Scanner(text, 'scim_filter_invalid');
  const comparisons = scanner.readComparisons('');
  scanner.requireEnd();
  return comparisons;
}

/** Reads the path of an operation. Throws AppError `bad_request`. */
export function parsePath(text: string): AttributePath {
  const scanner = new Scanner(text, 'scim_path_invalid');
  const [attribute, sub] = scanner.readName();
  if (sub !== undefined || !scanner.take('[')) {
    scanner.requireEnd();
    return { attribute, where: [], sub };
  }
  const where = scanner.readComparisons('');
  if (!scanner.take(']')) throw scanner.refuse();
  const ofElements = scanner.take('.') ? scanner.readName()[0] : undefined;
  scanner.requireEnd();
  return { attribute, where, sub: ofElements };
}

/** Reads from left to right and never goes back, so that it takes no longer than the text is long. */
class Scanner {
  readonly #text: string;
  readonly #code: string;
  #at = 0;
  #count = 0;

  constructor(text: string, code: string) {
    this.#text = text;
    this.#code = code;
    if (text.length > MAX_CHARS) throw new AppError('bad_request', code, `longer than ${MAX_CHARS} characters`);
  }

  readComparisons(before: string): Comparison[] {
    const comparisons: Comparison[] = [];
    do {
      comparisons.push(...this.#readComparison(before));
    } while (this.#takeWord('and'));
    return comparisons;
  }

  /** Attribute and sub-attribute. A name of another schema is one word, which no attribute has. */
  readName(): [string, string | undefined] {
    const name = (this.#read(NAME) ?? '').replace(CORE_SCHEMA, '').toLowerCase();
    if (name === '') throw this.refuse();
    const dot = name.startsWith('urn:') ? -1 : name.indexOf('.');
    return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
  }

  take(sign: string): boolean {
    this.#skipSpaces();
    if (!this.#text.startsWith(sign, this.#at)) return false;
    this.#at += sign.length;
    return true;
  }

  requireEnd(): void {
    this.#skipSpaces();
    if (this.#at < this.#text.length) throw this.refuse();
  }

  refuse(): AppError {
    return new AppError('bad_request', this.#code, `not understood from character ${this.#at + 1} on`);
  }

  #readComparison(before: string): Comparison[] {
    this.#count += 1;
    if (this.#count > MAX_COMPARISONS) throw new AppError('bad_request', this.#code, `more than ${MAX_COMPARISONS} comparisons`);
    const [attribute, sub] = this.readName();
    if (before === '' && sub === undefined && this.take('[')) return this.#readInBrackets(attribute);
    const path = before + (sub === undefined ? attribute : `${attribute}.${sub}`);
    return [this.#readRest(path)];
  }

  /** `emails[type eq "work"]`, and `emails[type eq "work"].value eq "a@example.org"`. */
  #readInBrackets(attribute: string): Comparison[] {
    const within = this.readComparisons(`${attribute}.`);
    if (!this.take(']')) throw this.refuse();
    if (!this.take('.')) return within;
    return [...within, this.#readRest(`${attribute}.${this.readName()[0]}`)];
  }

  #readRest(path: string): Comparison {
    const operator = this.#read(NAME)?.toLowerCase();
    if (operator === undefined) throw this.refuse();
    return { path, operator, value: operator === 'pr' ? null : this.#readValue() };
  }

  #readValue(): ScimValue {
    const text = this.#read(VALUE);
    try {
      const value: unknown = JSON.parse(text?.startsWith('"') ? text : (text ?? '').toLowerCase());
      return value as ScimValue;
    } catch {
      throw this.refuse();
    }
  }

  #takeWord(word: string): boolean {
    this.#skipSpaces();
    const next = this.#text.slice(this.#at, this.#at + word.length + 1).toLowerCase();
    if (next !== `${word} `) return false;
    this.#at += word.length;
    return true;
  }

  #read(form: RegExp): string | undefined {
    this.#skipSpaces();
    form.lastIndex = this.#at;
    const [found] = form.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }
}
