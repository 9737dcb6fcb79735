/** Longer words are cut: nobody types them, and an index row has its limits. */
const MAX_WORD = 64;
/** Different words that are kept; a text that has more is found by others. */
const MAX_WORDS = 5_000;
/** At least twice as many as words, a power of two. */
const SLOTS = 16_384;
const SPACE = 32;
const DECODER = new TextDecoder('utf-16le');
/** FNV-1a. */
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * The different words of one record after the other, as one text. No string is made for a word: it is compared where it stands
 * and copied when it is new, which for the words of a usual record takes a third of what a `Set` of strings does.
 */
export class WordSet {
  /** Space, word, space, word. */
  readonly #units = new Uint16Array(MAX_WORDS * (MAX_WORD + 1) + 1);
  #end = 0;
  readonly #starts = new Int32Array(MAX_WORDS);
  readonly #hashes = new Int32Array(MAX_WORDS);
  /** Number of the word from 1 on, by hash; 0 where none is. */
  readonly #slots = new Int16Array(SLOTS);
  readonly #used = new Int32Array(MAX_WORDS);
  #size = 0;

  get isFull(): boolean {
    return this.#size === MAX_WORDS;
  }

  /** Adds the word that stands in `text` from `start` to `end`, as it is. Without effect where it is known, or the set is full. */
  add(text: string, start: number, end: number): void {
    if (this.isFull) return;
    const units = this.#units;
    const from = this.#end + 1;
    const to = from + Math.min(end - start, MAX_WORD);
    let hash = OFFSET_BASIS;
    for (let at = from; at < to; at += 1) {
      const unit = text.charCodeAt(start + at - from);
      units[at] = unit;
      hash = Math.imul(hash ^ unit, PRIME);
    }
    this.#keep(hash, from, to);
  }

  /** The words with a space before and behind each, in the order they came; empties the set. */
  take(): string {
    this.#units[this.#end] = SPACE;
    const text = DECODER.decode(this.#units.subarray(0, this.#end + 1));
    for (let at = 0; at < this.#size; at += 1) this.#slots[this.#used[at]!] = 0;
    this.#size = 0;
    this.#end = 0;
    return text;
  }

  #keep(hash: number, from: number, to: number): void {
    const [slots, hashes, starts] = [this.#slots, this.#hashes, this.#starts];
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let known = slots[slot]!; known !== 0; known = slots[slot]!) {
      if (hashes[known - 1] === hash && this.#isAt(starts[known - 1]!, from, to)) return;
      slot = (slot + 1) & (SLOTS - 1);
    }
    this.#units[this.#end] = SPACE;
    starts[this.#size] = from;
    hashes[this.#size] = hash;
    this.#used[this.#size] = slot;
    this.#size += 1;
    slots[slot] = this.#size;
    this.#end = to;
  }

  /** Whether the word that begins at `known` is the one from `from` to `to`, behind the last one, and no longer. */
  #isAt(known: number, from: number, to: number): boolean {
    const units = this.#units;
    for (let at = from; at < to; at += 1) if (units[at] !== units[known + at - from]) return false;
    const next = known + to - from;
    return next === this.#end || units[next] === SPACE;
  }
}
