const HEAD_BYTES = 4;

/** The bytes that announce a frame of this length. */
export function frameHead(bytes: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32LE(bytes);
  return head;
}

/** Cuts a stream of bytes into frames: four bytes of length, then that many bytes. */
export class FrameReader {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = HEAD_BYTES;
  #inHead = true;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frames that these bytes complete. Throws when one is announced that is longer than allowed. */
  push(bytes: Buffer): Buffer[] {
    this.#pieces.push(bytes);
    this.#held += bytes.length;
    const frames: Buffer[] = [];
    while (this.#held >= this.#wanted) {
      const taken = this.#take();
      if (this.#inHead) this.#expect(taken.readUInt32LE());
      else {
        frames.push(taken);
        this.#inHead = true;
        this.#wanted = HEAD_BYTES;
      }
    }
    return frames;
  }

  #expect(bytes: number): void {
    if (bytes > this.#maxBytes) throw new Error(`a frame of ${bytes} bytes is longer than ${this.#maxBytes}`);
    this.#inHead = false;
    this.#wanted = bytes;
  }

  #take(): Buffer {
    const held = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces);
    const rest = held.subarray(this.#wanted);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    return held.subarray(0, this.#wanted);
  }
}
