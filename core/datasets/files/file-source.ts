/** The bytes of a file, wherever they lie. What is read belongs to the reader. */
export interface FileSource {
  readonly size: number;
  /** The bytes from `start` to before `end`; fewer only where the file ends. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Every byte from `start`, the beginning by default, in chunks of moderate size. May be asked for again and again. */
  chunks(start?: number): AsyncIterable<Uint8Array>;
}

const CHUNK_BYTES = 64 * 1024;

/** A file whose chunks are read as they are asked for. */
export async function* toChunks(source: Pick<FileSource, 'size' | 'read'>, start = 0): AsyncGenerator<Uint8Array> {
  for (let at = start; at < source.size; at += CHUNK_BYTES) yield await source.read(at, Math.min(at + CHUNK_BYTES, source.size));
}

/** A file that is in memory anyway. */
export function bytesAsFile(bytes: Uint8Array): FileSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => bytes.slice(start, end);
  const source = { size: bytes.length, read };
  return { ...source, chunks: (start) => toChunks(source, start) };
}
