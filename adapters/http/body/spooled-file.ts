import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileSource, toChunks } from '../../../core/datasets/files/file-source.ts';

/**
 * A file on disk without a name: it is unlinked as soon as it is open, so that nothing of it is left once it is closed, by us or
 * by the end of the process.
 */
export class SpooledFile implements FileSource {
  readonly #handle: FileHandle;
  #size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(folder: string): Promise<SpooledFile> {
    const path = join(folder, `upload-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SpooledFile(handle);
  }

  get size(): number {
    return this.#size;
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, done, chunk.length - done, this.#size);
      done += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, this.#size) - start));
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await this.#handle.read(bytes, done, bytes.length - done, start + done);
      if (bytesRead === 0) throw new Error('a spooled file is shorter than what was written to it');
      done += bytesRead;
    }
    return bytes;
  }

  chunks(start = 0): AsyncIterable<Uint8Array> {
    return toChunks(this, start);
  }

  /** May be called again. */
  async close(): Promise<void> {
    await this.#handle.close();
  }
}
