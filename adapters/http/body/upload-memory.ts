import type { IncomingMessage } from 'node:http';
import type { UploadedFile } from '../route.ts';
import type { BodyReader, HeldBody, Sender } from './body-reader.ts';
import { checkMultipart, type FileSink, MAX_BYTES_BESIDE_FILE, readMultipart } from './multipart.ts';

export interface UploadedBody {
  readonly fields: Readonly<Record<string, string | string[]>>;
  readonly file: UploadedFile | undefined;
}

/** Takes in a multipart body whose file is kept in memory, as part of the bytes in flight. */
export function readUpload(
  req: IncomingMessage,
  maxFileBytes: number,
  gate: BodyReader,
  sender: Sender,
): Promise<HeldBody<UploadedBody>> {
  checkMultipart(req, maxFileBytes);
  return gate.count(req, maxFileBytes + MAX_BYTES_BESIDE_FILE, sender, async (signal) => {
    const { fields, file } = await readMultipart(req, maxFileBytes, () => new MemoryFile(), signal);
    if (!file) return { fields, file: undefined };
    const { filename, content_type, sink } = file;
    return { fields, file: { filename, content_type, bytes: sink.bytes() } };
  });
}

class MemoryFile implements FileSink {
  #chunks: Uint8Array[] = [];

  append(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  close(): void {
    this.#chunks = [];
  }
}
