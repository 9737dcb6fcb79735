import type { JsonObject, JsonValue } from '../../../core/plugin-sdk/index.ts';
import { NO_PYTHON, PythonCursor } from './python-cursor.ts';

/** Member under which an object holds the name of its class. */
export const CLASS = 'class';

const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;
const WORDS: Readonly<Record<string, JsonValue>> = { None: null, True: true, False: false, nan: null, inf: null };
const NAME = /[A-Za-z_][\w.]*/y;
const NUMBER = /-?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const SPACE = /\s*/y;

/**
 * Reads a value that Python wrote down by `repr`: `Message(role=<Role.USER: 'user'>, parts=['a', {'b': None}])`. An object of a class becomes its
 * arguments and the name of the class, an enumeration its value, and what shows no value, such as `<function f at 0x1>`, null. Undefined where the
 * text is anything else, is cut off, or is nested too deep. Takes time that grows with the text alone.
 */
export function parsePython(text: string): JsonValue | undefined {
  const parser = new PythonParser(new PythonCursor(text));
  try {
    return parser.whole();
  } catch (error) {
    if (error !== NO_PYTHON) throw error;
    return undefined;
  }
}

class PythonParser {
  readonly #cursor: PythonCursor;
  #depth = 0;
  #values = 0;

  constructor(cursor: PythonCursor) {
    this.#cursor = cursor;
  }

  whole(): JsonValue {
    const value = this.#value();
    if (this.#cursor.next !== undefined) throw NO_PYTHON;
    return value;
  }

  #value(): JsonValue {
    this.#values += 1;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH || this.#values > MAX_VALUES) throw NO_PYTHON;
    this.#cursor.match(SPACE);
    const value = this.#bare();
    this.#cursor.match(SPACE);
    this.#depth -= 1;
    return value;
  }

  #bare(): JsonValue {
    const { next } = this.#cursor;
    if (next === "'" || next === '"') return this.#cursor.string();
    if (next === '[') return this.#items(']');
    if (next === '(') return this.#items(')');
    if (next === '{') return this.#dictionary();
    if (next === '<') return this.#angled();
    const number = this.#cursor.match(NUMBER);
    return number ? Number(number.replaceAll('_', '')) : this.#named(this.#cursor.match(NAME));
  }

  /** A word, or an object of a class. */
  #named(name: string): JsonValue {
    if (name && this.#cursor.next === '(') return this.#object(name);
    if (!Object.hasOwn(WORDS, name)) throw NO_PYTHON;
    return WORDS[name]!;
  }

  /** Arguments by name; others by their place. */
  #object(name: string): JsonObject {
    const fields: Record<string, JsonValue> = Object.create(null);
    let place = 0;
    this.#list(')', () => {
      const key = this.#cursor.match(NAME);
      if (key && this.#cursor.take('=')) fields[key] = this.#value();
      else fields[`${place}`] = key ? this.#named(key) : this.#value();
      place += 1;
    });
    fields[CLASS] = name;
    return fields;
  }

  #items(close: string): JsonValue[] {
    const items: JsonValue[] = [];
    this.#list(close, () => items.push(this.#value()));
    return items;
  }

  /** A set is a list here. */
  #dictionary(): JsonValue {
    const fields: Record<string, JsonValue> = Object.create(null);
    const items: JsonValue[] = [];
    this.#list('}', () => {
      const key = this.#value();
      if (!this.#cursor.take(':')) items.push(key);
      else fields[typeof key === 'string' ? key : JSON.stringify(key)] = this.#value();
    });
    return items.length > 0 ? items : fields;
  }

  /** An enumeration says its value behind a colon; of anything else only the end is found. */
  #angled(): JsonValue {
    const cursor = this.#cursor;
    cursor.take('<');
    if (!cursor.match(NAME) || !cursor.take(':')) {
      cursor.skipTo('>');
      return null;
    }
    const value = this.#value();
    if (!cursor.take('>')) throw NO_PYTHON;
    return value;
  }

  /** Reads whatever stands between the bracket here and the one that closes it, with commas between. */
  #list(close: string, read: () => void): void {
    const cursor = this.#cursor;
    cursor.match(/[[({]/y);
    cursor.match(SPACE);
    while (!cursor.take(close)) {
      read();
      cursor.match(SPACE);
      if (!cursor.take(',') && cursor.next !== close) throw NO_PYTHON;
      cursor.match(SPACE);
    }
  }
}
