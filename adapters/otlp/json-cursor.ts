import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import { isSpace, ValueScan } from './json-scan.ts';
import { malformed, type RequestBudget } from './request-budget.ts';

/** Deep enough for every value we keep, and far from what exhausts the stack. */
const MAX_JSON_DEPTH = 500;
/** Bytes that are looked at, or parsed, without a turn for others: a few milliseconds. */
const BYTES_AT_ONCE = 256 * 1024;
/** To parse a byte costs as much as to look at so many. */
const SCANS_PER_PARSE = 8;
/** Cost of a call, however small the value is. */
const BYTES_PER_CALL = 32;
const SMALL_N = 0x6e;
const COLON = 0x3a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Where a value stands in the body, and what it holds. */
export interface JsonExtent {
  readonly from: number;
  readonly to: number;
  /** Arrays and objects, itself among them, or what stands in them where that is more. */
  readonly values: number;
  readonly hasLongNumber: boolean;
}

type Reviver = (key: string, value: JsonValue, context: { readonly source: string }) => JsonValue;
/** The library's types do not know the source text that engines hand to a reviver. */
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => JsonValue;

/** Whole numbers beyond what a double holds come out as the text that was sent. */
const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;

/**
 * Walks through a JSON text from value to value, so that a large one is parsed in parts and others have their turn between them.
 * Throws AppError `invalid` where the text is no JSON, and `too_large` when it holds more values than the budget has.
 */
export class JsonCursor {
  readonly #bytes: Uint8Array;
  readonly #budget: RequestBudget;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #at: number;
  #depth = 0;
  #isFirst = false;
  #sinceTurn = 0;

  constructor(bytes: Uint8Array, budget: RequestBudget) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#at = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0;
  }

  /** The next byte that is no space; undefined at the end. */
  peek(): number | undefined {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1;
    return this.#bytes[this.#at];
  }

  get isAtObject(): boolean {
    return this.peek() === OPEN_BRACE;
  }

  get isAtArray(): boolean {
    return this.peek() === OPEN_BRACKET;
  }

  get isAtNull(): boolean {
    return this.peek() === SMALL_N;
  }

  /** Enters the array or object that begins here. */
  enter(): void {
    this.#budget.takeValues(1);
    this.enterAgain();
  }

  /** The same for one that is counted already. */
  enterAgain(): void {
    if (!this.isAtObject && !this.isAtArray) throw notJson();
    this.#at += 1;
    this.#depth += 1;
    this.#isFirst = true;
  }

  /** The name of the next member of the object that was entered last, whose value MUST be read next; undefined behind the last. */
  member(): string | undefined {
    if (!this.#hasMore(CLOSE_BRACE)) return undefined;
    if (this.peek() !== QUOTE) throw notJson();
    const from = this.#at;
    const scan = new ValueScan();
    this.#at = scan.advance(this.#bytes, from, this.#bytes.length);
    const name = this.#toValue({ from, to: this.#at, values: 0, hasLongNumber: false }) as string;
    if (this.peek() !== COLON) throw notJson();
    this.#at += 1;
    return name;
  }

  /** Whether the array that was entered last has another item, which MUST be read next. */
  item(): boolean {
    return this.#hasMore(CLOSE_BRACKET);
  }

  /** Passes over a value. */
  *skip(): Steps<JsonExtent> {
    const extent = yield* this.skipAgain();
    this.#budget.takeValues(extent.values);
    return extent;
  }

  /** The same for one that is counted already. */
  *skipAgain(): Steps<JsonExtent> {
    const first = this.peek();
    if (first === undefined || first === COMMA || first === CLOSE_BRACE || first === CLOSE_BRACKET) throw notJson();
    const from = this.#at;
    const scan = new ValueScan();
    while (!scan.isDone) {
      if (this.#at >= this.#bytes.length) throw notJson();
      const before = this.#at;
      this.#at = scan.advance(this.#bytes, before, Math.min(this.#bytes.length, before + BYTES_AT_ONCE));
      if (this.#depth + scan.depth > MAX_JSON_DEPTH) throw malformed(`the body nests deeper than ${MAX_JSON_DEPTH} levels`);
      yield* this.pace((this.#at - before) / SCANS_PER_PARSE);
    }
    const { values, hasLongNumber } = scan;
    return { from, to: this.#at, values, hasLongNumber };
  }

  /** The value there, with a turn for others when it is time for one. */
  *parse(extent: JsonExtent): Steps<JsonValue> {
    const value = this.#toValue(extent);
    yield* this.pace(extent.to - extent.from);
    return value;
  }

  /** Goes back to the beginning of a value, to look into it. */
  rewind({ from }: JsonExtent): void {
    this.#at = from;
  }

  /** Throws unless nothing follows. */
  end(): void {
    if (this.peek() !== undefined) throw notJson();
  }

  /** A turn for others when it is time for one; to be called for whatever takes a call, and for as many bytes as were parsed. */
  *pace(bytes = 0): Steps<void> {
    this.#sinceTurn += bytes + BYTES_PER_CALL;
    if (this.#sinceTurn < BYTES_AT_ONCE) return;
    this.#sinceTurn = 0;
    yield;
  }

  #hasMore(close: number): boolean {
    if (this.peek() === close) {
      this.#at += 1;
      this.#depth -= 1;
      this.#isFirst = false;
      return false;
    }
    if (!this.#isFirst) {
      if (this.peek() !== COMMA) throw notJson();
      this.#at += 1;
    }
    this.#isFirst = false;
    return true;
  }

  #toValue({ from, to, hasLongNumber }: JsonExtent): JsonValue {
    try {
      return parseWith(this.#decoder.decode(this.#bytes.subarray(from, to)), hasLongNumber ? keepDigits : undefined);
    } catch (error) {
      throw notJson(error);
    }
  }
}

export const notJson = (cause?: unknown) => malformed('the body is not JSON', cause);
