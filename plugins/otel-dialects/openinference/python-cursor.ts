/** Thrown where a text is no value in the notation of Python. */
export const NO_PYTHON = new Error('no value in the notation of Python');

const PLAIN = /[^\\'"]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' },
  ...{ a: '\x07', b: '\b', f: '\f', v: '\v' },
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Place in a text that Python wrote; it only moves forward. */
export class PythonCursor {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get next(): string | undefined {
    return this.#text[this.#at];
  }

  /** Whether this character is here, and steps over it. */
  take(character: string): boolean {
    if (this.next !== character) return false;
    this.#at += 1;
    return true;
  }

  /** The text that fits a sticky pattern here, empty where nothing does. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** Goes behind the next one of a character. Throws `NO_PYTHON` where there is none. */
  skipTo(character: string): void {
    const end = this.#text.indexOf(character, this.#at);
    if (end < 0) throw NO_PYTHON;
    this.#at = end + 1;
  }

  /** Reads the string whose quote is here. Throws `NO_PYTHON` where it is cut off. */
  string(): string {
    const quote = this.next!;
    this.#at += 1;
    let read = '';
    for (;;) {
      read += this.match(PLAIN);
      const { next } = this;
      if (next === undefined) throw NO_PYTHON;
      this.#at += 1;
      if (next === quote) return read;
      read += next === '\\' ? this.#escape() : next;
    }
  }

  #escape(): string {
    const letter = this.next ?? '';
    this.#at += 1;
    const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (plain !== undefined) return plain;
    const digits = Object.hasOwn(HEX_DIGITS, letter) ? HEX_DIGITS[letter]! : 0;
    const hex = this.#text.slice(this.#at, this.#at + digits);
    if (digits === 0 || hex.length < digits || !/^[\da-f]+$/i.test(hex)) throw NO_PYTHON;
    this.#at += digits;
    const code = Number.parseInt(hex, 16);
    if (code > 0x10_ffff) throw NO_PYTHON;
    return String.fromCodePoint(code);
  }
}
