const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FNV_PRIME = 0x01000193;
/** Another one in each process: what falls together is not to be found out beforehand. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/**
 * Counts the forms of the objects in a JSON text: the names that stand in them, of those that follow the same names only one. A set of
 * hashes with open addressing, because an ordinary set costs as much as the parser does. What two hashes have in common is counted once.
 */
export class ObjectForms {
  readonly #max: number;
  readonly #slots: Uint32Array;
  /** By depth, the hash of the names so far. */
  readonly #sofar: Uint32Array;
  #count = 0;

  constructor(maxDepth: number, max: number) {
    this.#max = max;
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(max * 2 + 2)));
    this.#sofar = new Uint32Array(maxDepth + 2);
  }

  /** Begins with another text. */
  reset(): void {
    this.#slots.fill(0);
    this.#count = 0;
  }

  /** An object begins at this depth. */
  open(depth: number): void {
    this.#sofar[depth] = SEED;
  }

  /** Takes the next name of the object at this depth, which begins at `start`. Returns whether there are more forms than may be. */
  isBeyond(depth: number, bytes: Uint8Array, start: number): boolean {
    const hash = mix(hashName(bytes, start, this.#sofar[depth]!));
    this.#sofar[depth] = hash;
    return this.#add(hash === 0 ? 1 : hash) && this.#count > this.#max;
  }

  /** Returns whether it was not there. */
  #add(hash: number): boolean {
    const slots = this.#slots;
    const last = slots.length - 1;
    let at = hash & last;
    for (; slots[at] !== 0; at = (at + 1) & last) if (slots[at] === hash) return false;
    slots[at] = hash;
    this.#count += 1;
    return true;
  }
}

/** FNV-1a of the bytes up to the quote that ends the name. */
function hashName(bytes: Uint8Array, start: number, basis: number): number {
  let hash = basis;
  for (let at = start; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
    if (bytes[at] === BACKSLASH) {
      hash = Math.imul(hash ^ BACKSLASH, FNV_PRIME);
      at += 1;
    }
    hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME);
  }
  return hash;
}

/** FNV leaves what stands in its lower bits alone; MurmurHash's last step spreads it. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
