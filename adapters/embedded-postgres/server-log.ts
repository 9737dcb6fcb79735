import { closeSync, openSync } from 'node:fs';
import { copyFile, open, rename, stat, truncate } from 'node:fs/promises';

const MOST_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 4096;

/** The server's log file: at most two of ten megabytes are kept. */
export class ServerLog {
  readonly path: string;
  #startedAt = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Calls `use` with a descriptor that appends; it is inherited by the server, so the server needs no right to the folder. */
  async withDescriptor<T>(use: (descriptor: number) => T): Promise<T> {
    if ((await this.#size()) > MOST_BYTES) await rename(this.path, `${this.path}.1`);
    this.#startedAt = await this.#size();
    const descriptor = openSync(this.path, 'a', 0o600);
    try {
      return use(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Empties a log that has grown too long, after copying it; the server's descriptor appends, so it goes on at the start. */
  async trim(): Promise<void> {
    if ((await this.#size()) <= MOST_BYTES) return;
    await copyFile(this.path, `${this.path}.1`);
    await truncate(this.path);
  }

  /** Last lines of the server's log since it was started, joined to one line. */
  async lastLines(count = 5): Promise<string> {
    const file = await open(this.path, 'r').catch(() => undefined);
    if (!file) return '';
    try {
      const { size } = await file.stat();
      const from = Math.max(this.#startedAt, size - TAIL_BYTES, 0);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
      return buffer.subarray(0, bytesRead).toString('utf8').trim().split('\n').slice(-count).join(' | ');
    } finally {
      await file.close();
    }
  }

  async #size(): Promise<number> {
    return stat(this.path).then(
      ({ size }) => size,
      () => 0,
    );
  }
}
