const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
/** Digits of a number that a double may not hold exactly. */
const LONG = 16;

export const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte) || byte === QUOTE;

/**
 * One pass over the bytes of a JSON value, which finds its end and what it would cost to parse it, and makes nothing of it. It
 * may be interrupted anywhere. What is no JSON is found out by whoever parses it.
 */
export class ValueScan {
  #open = 0;
  #deepest = 0;
  #containers = 0;
  #commas = 0;
  #digits = 0;
  #hasLongNumber = false;
  #isQuoted = false;
  #hasBegun = false;
  #isDone = false;

  /** The end of the value has been found. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Nesting of arrays and objects so far. */
  get depth(): number {
    return this.#deepest;
  }

  /** So far: arrays and objects, or what stands in them where that is more. */
  get values(): number {
    return Math.max(this.#containers, this.#commas);
  }

  /** Somewhere a number has more digits than a double holds exactly. */
  get hasLongNumber(): boolean {
    return this.#hasLongNumber;
  }

  /** Goes on from `at` up to `until`; returns where it came to, which is behind the value when that has ended. */
  advance(bytes: Uint8Array, at: number, until: number): number {
    let index = at;
    while (index < until && !this.#isDone) {
      if (this.#isQuoted) index = this.#throughString(bytes, index, until);
      else if (this.#open === 0 && this.#hasBegun) index = this.#throughScalar(bytes, index, until);
      else index = this.#throughContainers(bytes, index, until);
    }
    return index;
  }

  #throughContainers(bytes: Uint8Array, start: number, until: number): number {
    for (let at = start; at < until; at += 1) {
      const byte = bytes[at]!;
      if (byte >= ZERO && byte <= NINE) {
        this.#digits += 1;
        if (this.#digits === LONG) this.#hasLongNumber = true;
      } else {
        this.#digits = 0;
        if (byte === QUOTE) {
          this.#isQuoted = true;
          this.#hasBegun = true;
          return at + 1;
        }
        if (byte === COMMA) this.#commas += 1;
        else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#enter();
        else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
          this.#open -= 1;
          if (this.#open <= 0) {
            this.#isDone = true;
            return at + 1;
          }
        }
      }
      if (!this.#hasBegun) {
        this.#hasBegun = true;
        return at + 1;
      }
    }
    return until;
  }

  /** A number or a literal that is the whole value ends before the next bracket, comma or space. */
  #throughScalar(bytes: Uint8Array, start: number, until: number): number {
    for (let at = start; at < until; at += 1) {
      const byte = bytes[at]!;
      if (endsScalar(byte)) {
        this.#isDone = true;
        return at;
      }
      this.#digits += 1;
      if (this.#digits >= LONG) this.#hasLongNumber = true;
    }
    // The end of the text ends it as well.
    if (until === bytes.length) this.#isDone = true;
    return until;
  }

  #throughString(bytes: Uint8Array, start: number, until: number): number {
    let at = start;
    while (at < until && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at >= until) return at;
    this.#isQuoted = false;
    if (this.#open === 0) this.#isDone = true;
    return at + 1;
  }

  #enter(): void {
    this.#open += 1;
    this.#containers += 1;
    if (this.#open > this.#deepest) this.#deepest = this.#open;
  }
}
