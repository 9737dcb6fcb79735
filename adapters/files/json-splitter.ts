import { invalid } from '../../core/datasets/files/file-refusal.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = [0x5b, 0x7b];
const CLOSE = [0x5d, 0x7d];
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Cuts the text of one JSON list into the texts of its elements while the bytes come in. Only brackets, quotes and commas
 * are looked at: whether an element is JSON is found out by whoever parses it.
 */
export class JsonListSplitter {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #state: 'before' | 'inside' | 'after' = 'before';
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #elements = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The list has come to its end. */
  get ended(): boolean {
    return this.#state === 'after';
  }

  /** The elements that these bytes complete, and how many bytes were looked at: fewer than all once the list has ended. */
  push(bytes: Uint8Array): { readonly elements: string[]; readonly used: number } {
    const elements: string[] = [];
    let from = 0;
    let at = 0;
    for (; at < bytes.length && this.#state !== 'after'; at += 1) {
      const byte = bytes[at]!;
      if (this.#quoted) {
        at = this.#throughText(bytes, at);
        continue;
      }
      if (this.#state === 'before') {
        if (isSpace(byte)) continue;
        if (byte !== OPEN[0]) throw invalid('file_malformed', 'a list is expected');
        this.#state = 'inside';
        from = at + 1;
      } else if (byte === QUOTE) this.#quoted = true;
      else if (OPEN.includes(byte)) this.#depth += 1;
      else if (byte === COMMA && this.#depth === 0) {
        elements.push(this.#element(bytes.subarray(from, at), false));
        from = at + 1;
      } else if (CLOSE.includes(byte)) {
        this.#depth -= 1;
        if (this.#depth >= 0) continue;
        if (byte !== CLOSE[0]) throw invalid('file_malformed', 'a list ends with a brace');
        const last = this.#element(bytes.subarray(from, at), this.#elements === 0);
        if (last !== '') elements.push(last);
        this.#state = 'after';
      }
    }
    if (this.#state === 'inside') this.#keep(bytes.subarray(from));
    return { elements, used: at };
  }

  /** Index of the last byte of a text that is open at `start`, or of the last byte there is. */
  #throughText(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      if (this.#escaped) this.#escaped = false;
      else if (bytes[at] === BACKSLASH) this.#escaped = true;
      else if (bytes[at] === QUOTE) {
        this.#quoted = false;
        return at;
      }
    }
    return bytes.length - 1;
  }

  #keep(bytes: Uint8Array): void {
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > this.#maxBytes) {
      throw invalid('file_malformed', `an element is longer than ${this.#maxBytes} bytes`, { row: this.#elements + 1 });
    }
    this.#kept.push(bytes);
  }

  #element(bytes: Uint8Array, mayBeEmpty: boolean): string {
    this.#keep(bytes);
    const text = this.#kept.map((part) => this.#decoder.decode(part, { stream: true })).join('') + this.#decoder.decode();
    this.#kept = [];
    this.#keptBytes = 0;
    const trimmed = text.trim();
    if (trimmed === '' && mayBeEmpty) return '';
    this.#elements += 1;
    if (trimmed === '') throw invalid('file_malformed', 'there is nothing between two commas', { row: this.#elements });
    return trimmed;
  }
}
