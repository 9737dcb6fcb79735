import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline as connect, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Writes a file that only its owner reads, compressed, and returns its SHA-256 when it is on the disk. */
export async function writeGzip(path: string, source: AsyncIterable<Buffer> | Iterable<string>): Promise<string> {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(source, createGzip({ level: 1 }), hashed, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  await flush(path);
  return hash.digest('hex');
}

/** Contents of a compressed file. What fails about the file, as when it is gone meanwhile, fails whoever reads, and nobody else. */
export const readGzip = (path: string): Readable => connect(createReadStream(path), createGunzip(), () => undefined);

export async function computeSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function flush(path: string): Promise<void> {
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
