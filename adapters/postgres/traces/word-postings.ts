/**
 * Which records of a block hold which words, as text that the database searches by itself. Words are known by 30 bits of
 * a hash: six of them say in which slice a word is, so that a search reads a small part of each block; the others are its
 * key. A slice is a row of `;`, the key in four letters, and two hexadecimal digits for each record that holds the word.
 *
 * Words that share a hash are found for each other: what is found is a superset, to be checked on the words themselves.
 */

/** Two hexadecimal digits tell so many records apart. */
export const BLOCK_RECORDS = 256;
export const SLICES = 64;
const KEY_LETTERS = 4;
const LETTERS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const DIGITS = Buffer.from('0123456789abcdef');
const MARK = ';'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Where a word is looked up. */
export interface PostingKey {
  readonly slice: number;
  readonly key: string;
}

export interface Slice {
  readonly slice: number;
  readonly postings: string;
}

export function toPostingKey(word: string): PostingKey {
  const hash = computeHash(word);
  const key = Buffer.alloc(1 + KEY_LETTERS);
  writeKey(key, 0, hash >>> 6);
  return { slice: hash % SLICES, key: key.toString('latin1') };
}

/**
 * Of at most `BLOCK_RECORDS` records, the words of each with a space before and behind every one; slices without any word are left
 * out. Plain loops: it runs for every word.
 */
export function toSlices(records: readonly string[]): Slice[] {
  // A word takes a letter and a space at least.
  const hashes = new Uint32Array(records.reduce((sum, { length }) => sum + (length >> 1), 0));
  const ordinals = new Uint8Array(hashes.length);
  const ends = new Uint32Array(SLICES);
  let size = 0;
  for (let ordinal = 0; ordinal < records.length; ordinal += 1) {
    const words = records[ordinal]!;
    let hash = OFFSET_BASIS;
    let start = 1;
    for (let at = 1; at < words.length; at += 1) {
      const unit = words.charCodeAt(at);
      if (unit !== SPACE) {
        hash = Math.imul(hash ^ unit, PRIME);
        continue;
      }
      if (at > start) {
        const folded = fold(hash);
        hashes[size] = folded;
        ordinals[size++] = ordinal;
        ends[folded % SLICES]! += 1;
      }
      hash = OFFSET_BASIS;
      start = at + 1;
    }
  }
  for (let slice = 1; slice < SLICES; slice += 1) ends[slice]! += ends[slice - 1]!;
  const entries = new Uint32Array(size);
  const places = ends.slice();
  for (let at = 0; at < size; at += 1) {
    const hash = hashes[at]!;
    places[hash % SLICES]! -= 1;
    entries[places[hash % SLICES]!] = ((hash >>> 6) << 8) | ordinals[at]!;
  }
  return Array.from(places, (start, slice) => ({
    slice,
    postings: toPostings(entries.subarray(start, ends[slice]).sort()),
  })).filter(({ postings }) => postings !== '');
}

/** Of sorted entries: a key of 24 bits, and an ordinal of eight. */
function toPostings(entries: Uint32Array): string {
  const bytes = Buffer.allocUnsafe(entries.length * (1 + KEY_LETTERS + 2));
  let end = 0;
  let last = -1;
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at]!;
    const key = entry >>> 8;
    if (key !== last) end = writeKey(bytes, end, key);
    last = key;
    bytes[end++] = DIGITS[(entry >>> 4) & 15]!;
    bytes[end++] = DIGITS[entry & 15]!;
  }
  return bytes.toString('latin1', 0, end);
}

/** Returns where it ends. */
function writeKey(bytes: Buffer, at: number, key: number): number {
  bytes[at] = MARK;
  for (let letter = 0; letter < KEY_LETTERS; letter += 1) bytes[at + 1 + letter] = LETTERS[(key >>> (6 * letter)) & 63]!;
  return at + 1 + KEY_LETTERS;
}

/** FNV-1a over UTF-16 units, folded to 30 bits. */
function computeHash(word: string): number {
  let hash = OFFSET_BASIS;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME);
  return fold(hash);
}

const fold = (hash: number): number => (hash ^ (hash >>> 15)) & 0x3fffffff;
