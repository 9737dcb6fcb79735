import { createReadStream, existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MAX_PARTS = 256;
/** Bytes of input that make one part; what is built of a part is in memory at once. */
const PART_BYTES = 16 * 1024 * 1024;
/** Characters that wait for their part before they are written. */
const WAITING = 16 * 1024 * 1024;

/**
 * Things of an export on the disk, in parts by key: all of one key are in one part, in the order in which they came. Rows of a trace
 * may stand anywhere in files of any size, and a trace is built from all of them.
 */
export class Spool<T> {
  readonly #folder: string;
  readonly #parts: string[][];
  #waiting = 0;

  /** A folder of its own, for an input of about so many bytes. */
  constructor(folder: string, name: string, bytes: number) {
    this.#folder = join(folder, name);
    this.#parts = Array.from({ length: Math.min(MAX_PARTS, Math.max(1, Math.ceil(bytes / PART_BYTES))) }, () => []);
  }

  get parts(): number {
    return this.#parts.length;
  }

  async add(key: string, item: T): Promise<void> {
    const line = `${JSON.stringify(item)}\n`;
    this.#parts[getPart(key, this.#parts.length)]!.push(line);
    this.#waiting += line.length;
    if (this.#waiting >= WAITING) await this.flush();
  }

  async flush(): Promise<void> {
    for (const [at, lines] of this.#parts.entries()) {
      if (lines.length === 0) continue;
      await appendFile(this.#path(at), lines.join(''), { mode: 0o600 });
      lines.length = 0;
    }
    this.#waiting = 0;
  }

  /** The things of one part, line by line. Everything has to be flushed. */
  async *read(part: number): AsyncGenerator<T> {
    const path = this.#path(part);
    if (!existsSync(path)) return;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line) as T;
  }

  #path = (part: number): string => `${this.#folder}-${part}.jsonl`;
}

/** FNV-1a: even enough, and the same for every spool. */
function getPart(key: string, parts: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % parts;
}
